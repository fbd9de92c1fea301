/// The entries for one host, in order, of which one at a time is under way.
struct OutboxHostQueue: Sendable {
    enum Phase: Hashable, Sendable {
        case waiting
        case sending
        /// How it ended is being written to the journal; until then nothing else is sent.
        case completing
        /// It was dropped, which is being written to the journal; those about its subject wait for that, or it might come back behind them.
        case dropping
    }

    struct Item: Sendable {
        var entry: OutboxEntry
        /// When it is too old.
        let expires: Duration
        var phase = Phase.waiting
        /// Its own pause, while those about other subjects pass it.
        var backoff: OutboxBackoff?
    }

    /// In the order of their positions.
    private(set) var items: [Item] = []
    var backoff: OutboxBackoff?
    /// Failures in a row that held up the line.
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

    /// Takes those out of the order that wait and need not be sent any more, and gives them.
    mutating func drop(where shouldDrop: (Item) -> Bool) -> [OutboxEntry] {
        var dropped: [OutboxEntry] = []
        for index in items.indices where items[index].phase == .waiting && shouldDrop(items[index]) {
            items[index].phase = .dropping
            dropped.append(items[index].entry)
        }
        return dropped
    }

    /// Nothing is under way any more.
    mutating func stop() {
        for index in items.indices { items[index].phase = .waiting }
    }

    /// Ends all pauses as soon as they may end.
    mutating func shortenBackoffs() {
        backoff?.shorten()
        for index in items.indices { items[index].backoff?.shorten() }
    }

    /// The one to be sent now: the first, or, while that one has a pause of its own or is leaving, the first about another subject.
    mutating func startNext(at now: Duration) -> OutboxEntry? {
        if let backoff, backoff.end > now { return nil }
        backoff = nil
        guard !items.contains(where: { $0.phase == .sending || $0.phase == .completing }) else { return nil }
        var blockedSubjects: Set<String> = []
        for index in items.indices where !blockedSubjects.contains(items[index].entry.subject) {
            guard items[index].phase == .waiting, items[index].backoff.map({ $0.end <= now }) ?? true else {
                blockedSubjects.insert(items[index].entry.subject)
                continue
            }
            items[index].backoff = nil
            items[index].phase = .sending
            return items[index].entry
        }
        return nil
    }

    /// When a pause ends next.
    func nextBackoffEnd(after now: Duration) -> Duration? {
        if let backoff, backoff.end > now { return backoff.end }
        guard !items.contains(where: { $0.phase == .sending || $0.phase == .completing }) else { return nil }
        return items.compactMap { $0.backoff?.end }.filter { $0 > now }.min()
    }

    /// Why an entry that waits is not being sent, while there is a network.
    func delayReason(of item: Item) -> OutboxDelayReason {
        if let rest = item.backoff { return rest.delayReason }
        if let backoff, items.first(where: { $0.phase == .waiting })?.entry.id == item.entry.id { return backoff.delayReason }
        return .queued
    }
}
