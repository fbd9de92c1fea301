/// A ring buffer of the last elements.
package struct RingBuffer<Element> {
    /// The maximum number of elements; 0 stores none.
    package let limit: Int
    /// The number of elements ever appended.
    package private(set) var total = 0
    private var elements: [Element] = []
    /// The index of the oldest element in a full buffer.
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

    /// Returns the stored elements after the first `count` ever appended, oldest first.
    package func elements(after count: Int = 0) -> [Element] {
        guard limit > 0, total > count else { return [] }
        return (max(count, total - elements.count)..<total).map { elements[$0 % limit] }
    }
}

extension RingBuffer: Sendable where Element: Sendable {}
