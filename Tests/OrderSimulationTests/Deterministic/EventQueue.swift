import OrderLifecycle

/// A queue of events ordered by time; events at the same time stay in the order of their insertion.
struct EventQueue<Event> {
    private struct Entry {
        let time: Timestamp
        let number: Int
        let event: Event

        func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// A binary heap.
    private var entries: [Entry] = []
    private var count = 0

    mutating func add(_ event: Event, at time: Timestamp) {
        count += 1
        entries.append(Entry(time: time, number: count, event: event))
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next() -> (time: Timestamp, event: Event)? {
        guard let first = entries.first else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { entries[$0].isBefore(entries[$1]) }), entries[least].isBefore(entries[parent]) else {
                break
            }
            entries.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.event)
    }
}
