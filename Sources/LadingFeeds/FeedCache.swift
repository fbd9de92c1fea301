public import Foundation
import LadingCaching
import LadingOperations
import Synchronization

/// What is known of a feed in this process, shared by all screens that show it: the last list and the rows used last.
public final class FeedCache<F: Feed>: Sendable {
    public typealias ID = F.Reference.ID

    /// How many rows are kept, unless told otherwise.
    public static var rowLimit: Int { 20_000 }
    /// How many decisions the record of a feed reaches back, unless told otherwise.
    public static var traceLimit: Int { 512 }
    /// Of how many rows it is kept what filtering and sorting need.
    static var indexedRowLimit: Int { 100_000 }
    /// How many arrangements of the list are kept.
    static var queryResultLimit: Int { 8 }

    /// The generation of rows that an earlier process has stored: before all refreshes of this one.
    static var archivedGeneration: Int { -1 }

    /// A row together with the refresh that it was loaded after. Looked at far more often than it changes, and so never copied.
    final class CachedRow: Sendable {
        let row: F.Row
        /// When an earlier process has stored it; nil for a row of this one.
        let archivedAt: Date?
        /// The flight that it came with; nil when it came with none.
        let fetchEpoch: QueueEpoch?
        let generation: Int
        /// Grows with every row that is stored: another version, another content.
        let version: Int

        init(row: F.Row, archivedAt: Date? = nil, fetchEpoch: QueueEpoch?, generation: Int, version: Int) {
            self.row = row
            self.archivedAt = archivedAt
            self.fetchEpoch = fetchEpoch
            self.generation = generation
            self.version = version
        }
    }

    /// One refresh: its number, and the moment before which no flight is new enough for its rows.
    struct Generation: Sendable {
        var number: Int
        var noOlderThan: QueueEpoch?
    }

    struct State: Sendable {
        var snapshot: FeedSnapshot<F.Reference>?
        var listFetchedAt: Date?
        /// Whether the list was fetched in this process. Until then no archived row is outdated.
        var isListFetched = false
        var restoration = FeedRestoration<F.Reference>()
        /// The flight that the list came with.
        var listEpoch: QueueEpoch?
        var generation = Generation(number: 0)
        var version = 0
        var fields: [ID: F.Query.Fields] = [:]
        /// Counts the changes of `facts` and of the list: another number, other arrangements.
        var indexRevision = 0
        var queryResults = QueryResultCache<F.Query, F.Reference>(limit: FeedCache.queryResultLimit)
        var observations = FeedObservations<F.Reference>()
    }

    let state = Mutex(State())
    /// The last viewports and other events that the planners of all screens were told, and what they decided.
    let decisions: Mutex<DecisionRing<FeedPlanner<F.Reference>>>
    let rows: MemoryCache<ID, CachedRow>
    /// Where the list and the rows outlive the process; nil where they do not.
    let archive: FeedArchive<F>?
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - archive: Where the list and the rows outlive the process; nil stores nothing.
    ///   - rowLimit: The most rows kept.
    ///   - recordLimit: How many decisions of all screens are kept so that they can be replayed; 0 keeps none.
    ///   - now: Tells when a list arrives.
    public init(
        archive: FeedArchive<F>? = nil, rowLimit: Int = FeedCache.rowLimit, traceLimit: Int = FeedCache.traceLimit,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.archive = archive
        decisions = Mutex(DecisionRing(limit: traceLimit))
        rows = MemoryCache(costLimit: rowLimit)
        self.now = now
    }

    /// The last list that was fetched, or that an earlier process has stored; nil before the first.
    public var snapshot: FeedSnapshot<F.Reference>? { state.withLock { $0.snapshot } }

    /// When the last list was fetched; nil before the first.
    public var listFetchedAt: Date? { state.withLock { $0.listFetchedAt } }

    /// The row of an identity, however old; nil when it is not kept.
    public func row(for id: ID) -> F.Row? { rows.value(for: id)?.row }

    /// Tells contents apart: grows with every row stored; 0 for a row that is not kept.
    public func version(of id: ID) -> Int { rows.value(for: id)?.version ?? 0 }

    /// The version of the row that was stored last; 0 before the first.
    public var version: Int { state.withLock { $0.version } }

    /// The number of the current refresh; rows of an earlier one are shown, and loaded again when they are seen.
    var generation: Generation { state.withLock { $0.generation } }

    /// Whether a list was fetched in this process.
    public var isListFetched: Bool { state.withLock { $0.isListFetched } }

    func isCurrent(_ id: ID) -> Bool {
        guard let known = rows.value(for: id)?.generation else { return false }
        return state.withLock { $0.isCurrent(known) }
    }

    /// Those of some rows that are not known, or only from before the last refresh.
    func missing(_ ranges: [Range<Int>], of snapshot: FeedSnapshot<F.Reference>) -> [Int] {
        let (generation, isListFetched) = state.withLock { ($0.generation.number, $0.isListFetched) }
        return ranges.flatMap { range in
            range.filter { index in
                guard let known = rows.value(for: snapshot.references[index].id)?.generation else { return true }
                return known != generation && (isListFetched || known != Self.archivedGeneration)
            }
        }
    }
}

// MARK: - Storing

extension FeedCache {
    /// Keeps a row unless one of a later refresh is known, and tells the screens that show it.
    public func store(_ row: F.Row, for id: ID) {
        store(row, for: id, fetchEpoch: nil, generation: generation.number)
    }

    /// - Parameter fetched: The flight that the row came with: all who shared it have the same to tell, and only the first is heard.
    func store(_ row: F.Row, for id: ID, fetchEpoch: QueueEpoch?, generation: Int) {
        let fields = F.Query.indexedFields(of: row)
        let stored = state.withLock { state -> [any FeedCacheObserver<ID>]? in
            if let known = rows.value(for: id), known.generation > generation || fetchEpoch != nil && known.fetchEpoch == fetchEpoch {
                return nil
            }
            state.version += 1
            rows.store(CachedRow(row: row, fetchEpoch: fetchEpoch, generation: generation, version: state.version), for: id)
            state.setFields(fields, of: id)
            state.restoration.recordStored(id)
            return state.observations.observers(of: id)
        }
        guard let watchers = stored else { return }
        archive?.put(row, of: id)
        // Made once for all of them.
        let update = FeedUpdate(rows: [id])
        for watcher in watchers { watcher.rowsChanged(update) }
    }

    /// Keeps a list that was fetched, and tells all screens.
    ///
    /// - Parameters:
    ///   - fetched: The flight that the list came with; one that began before that of the last list is not kept.
    ///   - refreshedAt: The moment of the refresh that asked for it, which begins a generation; nil when none did.
    func store(_ references: [F.Reference], fetchEpoch: QueueEpoch?, refreshEpoch: QueueEpoch?) {
        guard state.withLock({ $0.isNewer(fetchEpoch) }) else { return }
        let snapshot = FeedSnapshot(references)
        let date = now()
        publish { state in
            guard state.isNewer(fetchEpoch) else { return ([], nil) }
            let write = archive == nil ? nil : state.restoration.listFetched(snapshot, at: date, after: state.snapshot)
            state.isListFetched = true
            state.listEpoch = fetchEpoch
            if let refreshEpoch {
                state.generation = Generation(number: state.generation.number + 1, noOlderThan: refreshEpoch)
            }
            return (state.replaceList(with: snapshot, at: date), write)
        }
    }

    /// Changes the list, then stores it and notifies the screens.
    ///
    /// - Parameter change: Called with the state under the lock; returns the screens to notify and the list to store.
    func publish(
        _ change: (inout State) -> (watchers: [any FeedCacheObserver<ID>], write: FeedRestoration<F.Reference>.ListWrite?)
    ) {
        let (watchers, write) = state.withLock { change(&$0) }
        if let write { archive?.put(write.list, at: write.date, replacing: write.replacedLists) }
        for watcher in watchers { watcher.listChanged() }
    }
}

extension FeedCache.State {
    /// Whether rows of a generation are not outdated.
    func isCurrent(_ generation: Int) -> Bool {
        generation == self.generation.number || !isListFetched && generation == FeedCache.archivedGeneration
    }

    /// Whether a list that came with this flight is newer than the last one.
    fileprivate func isNewer(_ fetched: QueueEpoch?) -> Bool {
        guard let fetched, let listEpoch else { return true }
        return fetched > listEpoch
    }

    /// Replaces the list, and forgets what is known of rows that left it.
    ///
    /// - Returns: All screens, which are to be notified.
    mutating func replaceList(with list: FeedSnapshot<F.Reference>, at date: Date) -> [any FeedCacheObserver<FeedCache.ID>] {
        (snapshot, listFetchedAt) = (list, date)
        fields = fields.filter { list.index(of: $0.key) != nil }
        indexRevision += 1
        return observations.all
    }

    mutating func setFields(_ facts: F.Query.Fields, of id: FeedCache.ID) {
        guard F.Query.Fields.self != Void.self else { return }
        guard self.fields.count < FeedCache.indexedRowLimit || self.fields[id] != nil else { return }
        self.fields[id] = facts
        indexRevision += 1
    }
}
