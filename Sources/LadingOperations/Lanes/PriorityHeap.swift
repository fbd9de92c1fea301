/// An element of a `PriorityHeap`.
protocol Prioritized {
    /// Whether the element is ordered before another; a strict order.
    func isOrderedBefore(_ other: Self) -> Bool
}

/// A priority queue. Elements pushed in order form a sorted run with constant-time push and pop; the others form a binary heap with logarithmic
/// costs.
struct PriorityHeap<Element: Prioritized> {
    private var heap: [Element] = []
    private var sortedRun: [Element] = []
    /// The index of the first remaining element of the sorted run.
    private var sortedRunStart = 0

    var count: Int { heap.count + sortedRun.count - sortedRunStart }
    var isEmpty: Bool { count == 0 }

    var first: Element? {
        guard sortedRunStart < sortedRun.count else { return heap.first }
        guard let top = heap.first, top.isOrderedBefore(sortedRun[sortedRunStart]) else { return sortedRun[sortedRunStart] }
        return top
    }

    mutating func push(_ element: Element) {
        guard let last = sortedRun.last, sortedRunStart < sortedRun.count, element.isOrderedBefore(last) else {
            return sortedRun.append(element)
        }
        heap.append(element)
        bubbleUp(from: heap.count - 1)
    }

    mutating func popFirst() -> Element? {
        guard sortedRunStart < sortedRun.count else { return popTop() }
        guard let top = heap.first, top.isOrderedBefore(sortedRun[sortedRunStart]) else { return popFromSortedRun() }
        return popTop()
    }

    /// Removes the first element and pushes another.
    mutating func replaceFirst(with element: Element) {
        if sortedRunStart + 1 == sortedRun.count, heap.isEmpty { return sortedRun[sortedRunStart] = element }
        _ = popFirst()
        push(element)
    }

    /// Removes the elements that do not satisfy the predicate.
    mutating func retain(where isRetained: (Element) -> Bool) {
        sortedRun.removeFirst(sortedRunStart)
        sortedRunStart = 0
        sortedRun.removeAll { !isRetained($0) }
        heap.removeAll { !isRetained($0) }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { trickleDown(from: index) }
    }

    private mutating func popFromSortedRun() -> Element {
        // Removing the only element, the common case for active consumers, needs no bookkeeping.
        if sortedRun.count == 1 { return sortedRun.removeLast() }
        let element = sortedRun[sortedRunStart]
        sortedRunStart += 1
        if sortedRunStart == sortedRun.count {
            sortedRun.removeAll(keepingCapacity: sortedRun.count < 1_024)
            sortedRunStart = 0
        } else if sortedRunStart >= 1_024, 2 * sortedRunStart >= sortedRun.count {
            sortedRun.removeFirst(sortedRunStart)
            sortedRunStart = 0
        }
        return element
    }

    private mutating func popTop() -> Element? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            trickleDown(from: 0)
        }
        return first
    }

    private mutating func bubbleUp(from start: Int) {
        var index = start
        let element = heap[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard element.isOrderedBefore(heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = element
    }

    private mutating func trickleDown(from start: Int) {
        var index = start
        let element = heap[index]
        while case var child = 2 * index + 1, child < heap.count {
            if child + 1 < heap.count, heap[child + 1].isOrderedBefore(heap[child]) { child += 1 }
            guard heap[child].isOrderedBefore(element) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = element
    }
}

extension PriorityHeap: Sendable where Element: Sendable {}
