public import Foundation
import LadingCaching
import LadingOperations
import Synchronization

/// What is known of a feed in this process, shared by all screens that show it: the last list and the rows used last.
public final class FeedMemory<F: Feed>: Sendable {
    public typealias ID = F.Reference.ID

    /// How many rows are kept, unless told otherwise.
    public static var rowLimit: Int { 20_000 }
    /// How many decisions the record of a feed reaches back, unless told otherwise.
    public static var recordLimit: Int { 512 }
    /// Of how many rows it is kept what filtering and sorting need.
    static var factLimit: Int { 100_000 }
    /// How many arrangements of the list are kept.
    static var arrangementLimit: Int { 8 }

    /// A row together with the refresh that it was loaded after. Looked at far more often than it changes, and so never copied.
    final class KnownRow: Sendable {
        let row: F.Row
        /// The flight that it came with; nil when it came with none.
        let fetched: OperationMark?
        let generation: Int
        /// Grows with every row that is stored: another version, another content.
        let version: Int

        init(row: F.Row, fetched: OperationMark?, generation: Int, version: Int) {
            self.row = row
            self.fetched = fetched
            self.generation = generation
            self.version = version
        }
    }

    /// One refresh: its number, and the moment before which no flight is new enough for its rows.
    struct Generation: Sendable {
        var number: Int
        var notBefore: OperationMark?
    }

    struct State: Sendable {
        var snapshot: FeedSnapshot<F.Reference>?
        var listedAt: Date?
        /// The flight that the list came with.
        var listFetched: OperationMark?
        var generation = Generation(number: 0)
        var version = 0
        var facts: [ID: F.Arrangement.Facts] = [:]
        /// Counts the changes of `facts` and of the list: another number, other arrangements.
        var knowledge = 0
        var arranged = RecentArrangements<F.Arrangement, F.Reference>(limit: FeedMemory.arrangementLimit)
        var watches = WatchList<F.Reference>()
    }

    let state = Mutex(State())
    /// The last viewports and other events that the planners of all screens were told, and what they decided.
    let record: Mutex<DecisionRing<FeedPlanner<F.Reference>>>
    private let rows: MemoryCache<ID, KnownRow>
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - rowLimit: The most rows kept.
    ///   - recordLimit: How many decisions of all screens are kept so that they can be replayed; 0 keeps none.
    ///   - now: Tells when a list arrives.
    public init(
        rowLimit: Int = FeedMemory.rowLimit, recordLimit: Int = FeedMemory.recordLimit,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        record = Mutex(DecisionRing(limit: recordLimit))
        rows = MemoryCache(costLimit: rowLimit)
        self.now = now
    }

    /// The last list that was fetched; nil before the first.
    public var snapshot: FeedSnapshot<F.Reference>? { state.withLock { $0.snapshot } }

    /// When the last list was fetched; nil before the first.
    public var listedAt: Date? { state.withLock { $0.listedAt } }

    /// The row of an identity, however old; nil when it is not kept.
    public func row(for id: ID) -> F.Row? { rows.value(for: id)?.row }

    /// Tells contents apart: grows with every row stored; 0 for a row that is not kept.
    public func version(of id: ID) -> Int { rows.value(for: id)?.version ?? 0 }

    /// The version of the row that was stored last; 0 before the first.
    public var version: Int { state.withLock { $0.version } }

    /// The number of the current refresh; rows of an earlier one are shown, and loaded again when they are seen.
    var generation: Generation { state.withLock { $0.generation } }

    func isCurrent(_ id: ID) -> Bool {
        rows.value(for: id)?.generation == generation.number
    }

    /// Those of some rows that are not known, or only from before the last refresh.
    func missing(_ ranges: [Range<Int>], of snapshot: FeedSnapshot<F.Reference>) -> [Int] {
        let generation = generation.number
        return ranges.flatMap { range in
            range.filter { rows.value(for: snapshot.references[$0].id)?.generation != generation }
        }
    }
}

// MARK: - Storing

extension FeedMemory {
    /// Keeps a row unless one of a later refresh is known, and tells the screens that show it.
    public func store(_ row: F.Row, for id: ID) {
        store(row, for: id, fetched: nil, generation: generation.number)
    }

    /// - Parameter fetched: The flight that the row came with: all who shared it have the same to tell, and only the first is heard.
    func store(_ row: F.Row, for id: ID, fetched: OperationMark?, generation: Int) {
        let facts = F.Arrangement.facts(of: row)
        let watchers = state.withLock { state -> [any FeedMemoryWatcher<ID>] in
            if let known = rows.value(for: id), known.generation > generation || fetched != nil && known.fetched == fetched {
                return []
            }
            state.version += 1
            rows.store(KnownRow(row: row, fetched: fetched, generation: generation, version: state.version), for: id)
            state.learn(facts, of: id)
            return state.watches.watchers(of: id)
        }
        // Made once for all of them.
        let update = FeedUpdate(rows: [id])
        for watcher in watchers { watcher.rowsChanged(update) }
    }

    /// Keeps a list that was fetched, and tells all screens.
    ///
    /// - Parameters:
    ///   - fetched: The flight that the list came with; one that began before that of the last list is not kept.
    ///   - refreshedAt: The moment of the refresh that asked for it, which begins a generation; nil when none did.
    func store(_ references: [F.Reference], fetched: OperationMark?, refreshedAt: OperationMark?) {
        guard state.withLock({ $0.isNews(fetched) }) else { return }
        let snapshot = FeedSnapshot(references)
        let watchers = state.withLock { state -> [any FeedMemoryWatcher<ID>] in
            guard state.isNews(fetched) else { return [] }
            state.snapshot = snapshot
            state.listFetched = fetched
            state.listedAt = now()
            if let refreshedAt {
                state.generation = Generation(number: state.generation.number + 1, notBefore: refreshedAt)
            }
            state.facts = state.facts.filter { snapshot.index(of: $0.key) != nil }
            state.knowledge += 1
            return state.watches.all
        }
        for watcher in watchers { watcher.listChanged() }
    }
}

extension FeedMemory.State {
    /// Whether a list that came with this flight is newer than the last one.
    fileprivate func isNews(_ fetched: OperationMark?) -> Bool {
        guard let fetched, let listFetched else { return true }
        return fetched > listFetched
    }

    fileprivate mutating func learn(_ facts: F.Arrangement.Facts, of id: FeedMemory.ID) {
        guard F.Arrangement.Facts.self != Void.self else { return }
        guard self.facts.count < FeedMemory.factLimit || self.facts[id] != nil else { return }
        self.facts[id] = facts
        knowledge += 1
    }
}
