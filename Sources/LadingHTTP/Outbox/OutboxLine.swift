/// The entries for one host, in order, of which one at a time is under way.
struct OutboxLine: Sendable {
    enum Phase: Hashable, Sendable {
        case waiting
        case sending
        /// How it ended is being written to the journal; until then nothing else is sent.
        case settling
        /// It was dropped, which is being written to the journal; those about its subject wait for that, or it might come back behind them.
        case leaving
    }

    struct Item: Sendable {
        var entry: OutboxEntry
        /// When it is too old.
        let expires: Duration
        var phase = Phase.waiting
        /// Its own pause, while those about other subjects pass it.
        var rest: OutboxRest?
    }

    /// In the order of their positions.
    private(set) var items: [Item] = []
    var rest: OutboxRest?
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
    mutating func drop(where isNeedless: (Item) -> Bool) -> [OutboxEntry] {
        var dropped: [OutboxEntry] = []
        for index in items.indices where items[index].phase == .waiting && isNeedless(items[index]) {
            items[index].phase = .leaving
            dropped.append(items[index].entry)
        }
        return dropped
    }

    /// Nothing is under way any more.
    mutating func stop() {
        for index in items.indices { items[index].phase = .waiting }
    }

    /// Ends all pauses as soon as they may end.
    mutating func hurry() {
        rest?.hurry()
        for index in items.indices { items[index].rest?.hurry() }
    }

    /// The one to be sent now: the first, or, while that one has a pause of its own or is leaving, the first about another subject.
    mutating func takeNext(at now: Duration) -> OutboxEntry? {
        if let rest, rest.until > now { return nil }
        rest = nil
        guard !items.contains(where: { $0.phase == .sending || $0.phase == .settling }) else { return nil }
        var held: Set<String> = []
        for index in items.indices where !held.contains(items[index].entry.subject) {
            guard items[index].phase == .waiting, items[index].rest.map({ $0.until <= now }) ?? true else {
                held.insert(items[index].entry.subject)
                continue
            }
            items[index].rest = nil
            items[index].phase = .sending
            return items[index].entry
        }
        return nil
    }

    /// When a pause ends next.
    func nextEnd(after now: Duration) -> Duration? {
        if let rest, rest.until > now { return rest.until }
        guard !items.contains(where: { $0.phase == .sending || $0.phase == .settling }) else { return nil }
        return items.compactMap { $0.rest?.until }.filter { $0 > now }.min()
    }

    /// Why an entry that waits is not being sent, while there is a network.
    func wait(of item: Item) -> OutboxWait {
        if let rest = item.rest { return rest.wait }
        if let rest, items.first(where: { $0.phase == .waiting })?.entry.id == item.entry.id { return rest.wait }
        return .turn
    }
}
