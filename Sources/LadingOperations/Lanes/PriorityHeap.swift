/// An element of a `PriorityHeap`.
protocol Prioritized {
    /// Whether it comes out before another; a strict order.
    func precedes(_ other: Self) -> Bool
}

/// A binary heap: what precedes all others is at hand, putting in and taking out cost a logarithm.
struct PriorityHeap<Element: Prioritized> {
    private var elements: [Element] = []

    var count: Int { elements.count }
    var isEmpty: Bool { elements.isEmpty }
    var first: Element? { elements.first }

    mutating func push(_ element: Element) {
        elements.append(element)
        siftUp(from: elements.count - 1)
    }

    mutating func popFirst() -> Element? {
        guard let first = elements.first, let last = elements.popLast() else { return nil }
        if !elements.isEmpty {
            elements[0] = last
            siftDown(from: 0)
        }
        return first
    }

    /// Drops the elements that a condition does not hold for.
    mutating func keep(_ isKept: (Element) -> Bool) {
        elements.removeAll { !isKept($0) }
        for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    private mutating func siftUp(from start: Int) {
        var index = start
        let element = elements[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard element.precedes(elements[parent]) else { break }
            elements[index] = elements[parent]
            index = parent
        }
        elements[index] = element
    }

    private mutating func siftDown(from start: Int) {
        var index = start
        let element = elements[index]
        while case var child = 2 * index + 1, child < elements.count {
            if child + 1 < elements.count, elements[child + 1].precedes(elements[child]) { child += 1 }
            guard elements[child].precedes(element) else { break }
            elements[index] = elements[child]
            index = child
        }
        elements[index] = element
    }
}

extension PriorityHeap: Sendable where Element: Sendable {}
