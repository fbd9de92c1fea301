/// An element of a `PriorityHeap`.
protocol Prioritized {
    /// Whether it comes out before another; a strict order.
    func precedes(_ other: Self) -> Bool
}

/// What precedes all others is at hand. Elements that come in order stand in a plain line, where putting in and taking out cost a constant; the
/// others lie in a binary heap, where they cost a logarithm.
struct PriorityHeap<Element: Prioritized> {
    private var heap: [Element] = []
    private var sortedRun: [Element] = []
    /// Where the line begins; what stands before it has been taken out.
    private var sortedRunStart = 0

    var count: Int { heap.count + sortedRun.count - sortedRunStart }
    var isEmpty: Bool { count == 0 }

    var first: Element? {
        guard sortedRunStart < sortedRun.count else { return heap.first }
        guard let top = heap.first, top.precedes(sortedRun[sortedRunStart]) else { return sortedRun[sortedRunStart] }
        return top
    }

    mutating func push(_ element: Element) {
        guard let last = sortedRun.last, sortedRunStart < sortedRun.count, element.precedes(last) else { return sortedRun.append(element) }
        heap.append(element)
        siftUp(from: heap.count - 1)
    }

    mutating func popFirst() -> Element? {
        guard sortedRunStart < sortedRun.count else { return popTop() }
        guard let top = heap.first, top.precedes(sortedRun[sortedRunStart]) else { return popFromSortedRun() }
        return popTop()
    }

    /// Takes out what precedes all others and puts another in.
    mutating func replaceFirst(with element: Element) {
        if sortedRunStart + 1 == sortedRun.count, heap.isEmpty { return sortedRun[sortedRunStart] = element }
        _ = popFirst()
        push(element)
    }

    /// Drops the elements that a condition does not hold for.
    mutating func retain(where isRetained: (Element) -> Bool) {
        sortedRun.removeFirst(sortedRunStart)
        sortedRunStart = 0
        sortedRun.removeAll { !isRetained($0) }
        heap.removeAll { !isRetained($0) }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    private mutating func popFromSortedRun() -> Element {
        // A line of one, as that of the turns mostly is, costs nothing to empty.
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
            siftDown(from: 0)
        }
        return first
    }

    private mutating func siftUp(from start: Int) {
        var index = start
        let element = heap[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard element.precedes(heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = element
    }

    private mutating func siftDown(from start: Int) {
        var index = start
        let element = heap[index]
        while case var child = 2 * index + 1, child < heap.count {
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(element) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = element
    }
}

extension PriorityHeap: Sendable where Element: Sendable {}
