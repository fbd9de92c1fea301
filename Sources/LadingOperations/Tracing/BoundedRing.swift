/// The last of many elements.
package struct BoundedRing<Element> {
    /// The most elements kept; 0 keeps none.
    package let limit: Int
    /// How many there have been in all.
    package private(set) var total = 0
    private var elements: [Element] = []

    package init(limit: Int) {
        self.limit = limit
    }

    package mutating func append(_ element: Element) {
        if elements.count < limit {
            elements.append(element)
        } else if limit > 0 {
            elements[total % limit] = element
        }
        total += 1
    }

    /// Those kept that came after so many, oldest first.
    package func elements(after count: Int = 0) -> [Element] {
        guard limit > 0, total > count else { return [] }
        return (max(count, total - elements.count)..<total).map { elements[$0 % limit] }
    }
}

extension BoundedRing: Sendable where Element: Sendable {}
