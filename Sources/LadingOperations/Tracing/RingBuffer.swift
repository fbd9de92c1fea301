/// The last of many elements.
package struct RingBuffer<Element> {
    /// The most elements kept; 0 keeps none.
    package let limit: Int
    /// How many there have been in all.
    package private(set) var total = 0
    private var elements: [Element] = []
    /// Where the oldest element is, once there are as many as are kept.
    private var oldest = 0

    package init(limit: Int) {
        self.limit = limit
    }

    package mutating func append(_ element: consuming Element) {
        total += 1
        guard elements.count == limit else { return elements.append(element) }
        guard limit > 0 else { return }
        elements[oldest] = element
        oldest = oldest + 1 == limit ? 0 : oldest + 1
    }

    /// Those kept that came after so many, oldest first.
    package func elements(after count: Int = 0) -> [Element] {
        guard limit > 0, total > count else { return [] }
        return (max(count, total - elements.count)..<total).map { elements[$0 % limit] }
    }
}

extension RingBuffer: Sendable where Element: Sendable {}
