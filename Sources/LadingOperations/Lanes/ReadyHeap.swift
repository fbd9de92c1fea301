/// The ready flights of one lane: most urgent first, and in order of arrival where priorities are equal.
///
/// An entry is never moved. A flight whose priority changes is pushed again under a new stamp, and entries whose stamp is not their flight's
/// any more are skipped when they surface; the heap is rebuilt when such entries outnumber the live ones.
struct ReadyHeap<Flight> {
    struct Entry {
        var priority: OperationPriority
        var arrival: UInt64
        var stamp: UInt32
        var flight: Flight

        func precedes(_ other: Entry) -> Bool {
            priority == other.priority ? arrival < other.arrival : priority > other.priority
        }
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var first: Entry? { entries.first }

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        siftUp(from: entries.count - 1)
    }

    mutating func removeFirst() {
        let last = entries.removeLast()
        guard !entries.isEmpty else { return }
        entries[0] = last
        siftDown(from: 0)
    }

    /// Drops every entry that is not live.
    mutating func rebuild(keeping isLive: (Entry) -> Bool) {
        entries.removeAll { !isLive($0) }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    private mutating func siftUp(from start: Int) {
        var index = start
        let entry = entries[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard entry.precedes(entries[parent]) else { break }
            entries[index] = entries[parent]
            index = parent
        }
        entries[index] = entry
    }

    private mutating func siftDown(from start: Int) {
        var index = start
        let entry = entries[index]
        while case var child = 2 * index + 1, child < entries.count {
            if child + 1 < entries.count, entries[child + 1].precedes(entries[child]) { child += 1 }
            guard entries[child].precedes(entry) else { break }
            entries[index] = entries[child]
            index = child
        }
        entries[index] = entry
    }
}
