import TextComparison

/// The entries for one host, and those for other hosts about the same subjects, in order; at most one is being sent.
struct OutboxHostQueue: Sendable {
    enum Phase: Hashable, Sendable {
        case waiting
        case sending
        /// The outcome is being written to the journal; until then no other entry is sent.
        case completing
        /// The entry was dropped, which is being written to the journal. Later entries about its subject wait, or a restart could send it after them.
        case dropping
    }

    struct Item: Sendable {
        var entry: OutboxEntry
        /// The time at which the entry expires.
        let expires: Duration
        var phase = Phase.waiting
        /// The backoff of this entry alone, during which entries about other subjects pass it.
        var backoff: OutboxBackoff?
    }

    /// The items, ordered by position.
    private(set) var items: [Item] = []
    var backoff: OutboxBackoff?
    /// The number of consecutive failures that blocked the queue.
    var failures = 0

    subscript(key: IdempotencyKey) -> Item? { items.first { $0.entry.id == key } }

    mutating func insert(_ item: Item) {
        let index = items.lastIndex { $0.entry.position < item.entry.position }.map { $0 + 1 } ?? 0
        items.insert(item, at: index)
    }

    mutating func remove(_ key: IdempotencyKey) { items.removeAll { $0.entry.id == key } }

    mutating func change(_ key: IdempotencyKey, _ body: (inout Item) -> Void) {
        guard let index = items.firstIndex(where: { $0.entry.id == key }) else { return }
        body(&items[index])
    }

    /// Drops the waiting items that satisfy a predicate and returns their entries.
    mutating func drop(where shouldDrop: (Item) -> Bool) -> [OutboxEntry] {
        var dropped: [OutboxEntry] = []
        for index in items.indices where items[index].phase == .waiting && shouldDrop(items[index]) {
            items[index].phase = .dropping
            dropped.append(items[index].entry)
        }
        return dropped
    }

    /// Resets all items to waiting.
    mutating func stop() {
        for index in items.indices { items[index].phase = .waiting }
    }

    /// Shortens all backoffs to their minimum.
    mutating func reduceBackoffs() {
        backoff?.reduce()
        for index in items.indices { items[index].backoff?.reduce() }
    }

    /// Starts and returns the next entry: the first, or, while that one backs off or is being dropped, the first about another subject.
    mutating func startNext(at now: Duration) -> OutboxEntry? {
        if let backoff, backoff.end > now { return nil }
        backoff = nil
        guard !items.contains(where: { $0.phase == .sending || $0.phase == .completing }) else { return nil }
        var blockedSubjects: Set<BytewiseText> = []
        for index in items.indices where !blockedSubjects.contains(BytewiseText(items[index].entry.subject)) {
            guard items[index].phase == .waiting, items[index].backoff.map({ $0.end <= now }) ?? true else {
                blockedSubjects.insert(BytewiseText(items[index].entry.subject))
                continue
            }
            items[index].backoff = nil
            items[index].phase = .sending
            return items[index].entry
        }
        return nil
    }

    /// Returns the end of the next backoff, after `startNext(at:)` has removed that of the queue if it has ended.
    func nextBackoffEnd(after now: Duration) -> Duration? {
        if let backoff { return backoff.end }
        guard !items.contains(where: { $0.phase == .sending || $0.phase == .completing }) else { return nil }
        return items.compactMap { $0.backoff?.end }.filter { $0 > now }.min()
    }

    /// Returns the reason why a waiting entry is not being sent while the network is online.
    func delayReason(of item: Item) -> OutboxDelayReason {
        if let itemBackoff = item.backoff { return itemBackoff.delayReason }
        if let backoff, items.first(where: { $0.phase == .waiting })?.entry.id == item.entry.id { return backoff.delayReason }
        return .queued
    }
}
