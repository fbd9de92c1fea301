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
    /// The positions of the items, with which they are found among others.
    private var positions: [IdempotencyKey: Int64] = [:]
    /// The keys of the items about each subject.
    private var subjects: [BytewiseText: Set<IdempotencyKey>] = [:]
    /// A time before which no item expires; nil when none will.
    private var earliestExpiry: Duration?
    var backoff: OutboxBackoff?
    /// The number of consecutive failures that blocked the queue.
    var failures = 0

    subscript(key: IdempotencyKey) -> Item? { index(of: key).map { items[$0] } }

    /// Returns the items about a subject, ordered by position.
    func items(about subject: String) -> [Item] { indices(about: BytewiseText(subject)).map { items[$0] } }

    /// Whether there are items about a subject.
    func hasItems(about subject: String) -> Bool { subjects[BytewiseText(subject)] != nil }

    mutating func insert(_ item: Item) {
        let entry = item.entry
        items.insert(item, at: firstIndex(from: entry.position))
        positions[entry.id] = entry.position
        subjects[BytewiseText(entry.subject), default: []].insert(entry.id)
        earliestExpiry = min(earliestExpiry ?? item.expires, item.expires)
    }

    mutating func remove(_ key: IdempotencyKey) {
        guard let index = index(of: key) else { return }
        let subject = BytewiseText(items.remove(at: index).entry.subject)
        positions[key] = nil
        subjects[subject]?.remove(key)
        if subjects[subject]?.isEmpty ?? false { subjects[subject] = nil }
    }

    mutating func change(_ key: IdempotencyKey, _ body: (inout Item) -> Void) {
        guard let index = index(of: key) else { return }
        body(&items[index])
    }

    /// Resets all items to waiting.
    mutating func stop() {
        for index in items.indices { items[index].phase = .waiting }
        earliestExpiry = items.lazy.map(\.expires).min()
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

// MARK: - Dropping

extension OutboxHostQueue {
    /// Drops the waiting items that have expired, and returns their entries.
    mutating func dropExpired(at now: Duration) -> [OutboxEntry] {
        guard let earliestExpiry, earliestExpiry <= now else { return [] }
        let dropped = drop(items.indices.filter { items[$0].phase == .waiting && items[$0].expires <= now })
        // An expired item that is being sent is dropped if it waits again.
        self.earliestExpiry = items.lazy.filter { $0.phase != .dropping }.map(\.expires).min()
        return dropped
    }

    /// Drops the waiting items that are superseded by another or by an accepted decision, and returns their entries.
    mutating func dropSuperseded(by history: OutboxHistory) -> [OutboxEntry] {
        drop(subjects.keys.flatMap { supersededIndices(about: $0, by: history) }.sorted())
    }

    /// Drops the waiting items about a subject that are superseded by another or by an accepted decision, and returns their entries.
    mutating func dropSuperseded(about subject: String, by history: OutboxHistory) -> [OutboxEntry] {
        drop(supersededIndices(about: BytewiseText(subject), by: history))
    }

    private func supersededIndices(about subject: BytewiseText, by history: OutboxHistory) -> [Int] {
        let indices = indices(about: subject)
        let superseding = indices.map { items[$0] }.filter { $0.entry.supersedesPrevious && $0.phase != .dropping }
        return indices.filter { index in
            let (entry, phase) = (items[index].entry, items[index].phase)
            return phase == .waiting && (history.supersedes(entry) || superseding.contains { $0.entry.supersedes(entry) })
        }
    }

    private mutating func drop(_ indices: [Int]) -> [OutboxEntry] {
        for index in indices { items[index].phase = .dropping }
        return indices.map { items[$0].entry }
    }
}

// MARK: - Searching

extension OutboxHostQueue {
    private func index(of key: IdempotencyKey) -> Int? {
        guard let position = positions[key] else { return nil }
        return items[firstIndex(from: position)...].firstIndex { $0.entry.id == key }
    }

    private func indices(about subject: BytewiseText) -> [Int] {
        subjects[subject, default: []].compactMap { index(of: $0) }.sorted()
    }

    /// Returns the index of the first item at or after a position, by binary search.
    private func firstIndex(from position: Int64) -> Int {
        var (low, high) = (items.startIndex, items.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].entry.position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
