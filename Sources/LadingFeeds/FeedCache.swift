public import Foundation
import LadingCaching
import LadingOperations
import Synchronization

/// A cache of the last list and the recently used rows of a feed, shared by all its screens in this process.
///
/// The screens may use several queues. Of two lists from different queues, the one that arrives last counts as newer.
public final class FeedCache<F: Feed>: Sendable {
    public typealias ID = F.Reference.ID

    /// The default maximum number of cached rows.
    public static var rowLimit: Int { 20_000 }
    /// The maximum number of rows whose indexed fields are cached.
    static var indexedRowLimit: Int { 100_000 }
    /// The maximum number of cached query results.
    static var queryResultLimit: Int { 8 }

    /// The generation of rows stored by an earlier process, which precedes all refreshes of this one.
    static var archivedGeneration: Int { -1 }

    /// A row with the generation in which it was loaded. A class, because rows are read far more often than stored.
    final class CachedRow: Sendable {
        let row: F.Row
        /// The date at which an earlier process stored the row; nil for a row of this process.
        let archivedAt: Date?
        /// The epoch of the execution that loaded the row; nil if no operation did.
        let fetchEpoch: QueueEpoch?
        let generation: Int
        /// A number that increases with every stored row and so identifies its content.
        let version: Int

        /// Whether the program stored the row, not an operation or an earlier process.
        var isLocal: Bool { fetchEpoch == nil && archivedAt == nil }

        init(row: F.Row, archivedAt: Date? = nil, fetchEpoch: QueueEpoch?, generation: Int, version: Int) {
            self.row = row
            self.archivedAt = archivedAt
            self.fetchEpoch = fetchEpoch
            self.generation = generation
            self.version = version
        }
    }

    /// The number of a refresh, or of the first list after a stored one, and the epoch that the operations of its rows must not be older
    /// than.
    struct Generation: Sendable {
        var number: Int
        var noOlderThan: QueueEpoch?
    }

    /// The refresh and the version of the cache when a load began, with which the loaded row is compared to the cached one.
    struct LoadStart: Sendable {
        var generation: Generation
        /// The version of the row that was stored last.
        var version: Int
    }

    struct State: Sendable {
        var snapshot: FeedSnapshot<F.Reference>?
        var listFetchedAt: Date?
        /// Whether the list was fetched in this process. Until then no archived row is outdated.
        var isListFetched = false
        var restoredFeed = RestoredFeed<F.Reference>()
        /// The epoch of the execution that fetched the list.
        var listEpoch: QueueEpoch?
        var generation = Generation(number: 0)
        var version = 0
        var fields = FieldIndex<ID, F.Query.Fields>()
        /// A counter of changes to `fields` and the list, which invalidate cached query results.
        var indexRevision = 0
        var queryResults = QueryResultCache<F.Query, F.Reference>(limit: FeedCache.queryResultLimit)
        var observations = FeedObservations<F.Reference>()
    }

    let state = Mutex(State())
    /// The last events of the planners of all screens, with their effects.
    let decisions: Mutex<DecisionRing<FeedPlanner<F.Reference>>>
    let rows: MemoryCache<ID, CachedRow>
    /// The archive of the list and the rows; nil if they are not stored.
    let archive: FeedArchive<F>?
    private let now: @Sendable () -> Date

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - archive: The archive of the list and the rows; nil stores nothing.
    ///   - rowLimit: The maximum number of cached rows. A screen prefetches no more rows than fit beside its visible ones. It loads an evicted
    ///     row at most once more until the viewport or the list changes.
    ///   - now: Returns the date, used when a list is fetched.
    public convenience init(
        archive: FeedArchive<F>? = nil, rowLimit: Int = FeedCache.rowLimit, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(archive: archive, rowLimit: rowLimit, traceLimit: 0, now: now)
    }

    /// Creates a cache that records a number of planner decisions of all screens, for replay; 0 records none. Each retains the list that it is
    /// based on.
    package init(
        archive: FeedArchive<F>? = nil, rowLimit: Int = FeedCache.rowLimit, traceLimit: Int,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.archive = archive
        decisions = Mutex(DecisionRing(limit: traceLimit))
        rows = MemoryCache(costLimit: rowLimit)
        self.now = now
    }

    /// The last list that was fetched, or that an earlier process has stored; nil before the first.
    public var snapshot: FeedSnapshot<F.Reference>? { state.withLock { $0.snapshot } }

    /// The date at which the last list was fetched; nil before the first.
    public var listFetchedAt: Date? { state.withLock { $0.listFetchedAt } }

    /// Returns the cached row of an identity, outdated or not; nil if there is none.
    public func row(for id: ID) -> F.Row? { rows.value(for: id)?.row }

    /// Returns the version of a row, which increases whenever the row is stored; 0 if it is not cached.
    package func version(of id: ID) -> Int { rows.value(for: id)?.version ?? 0 }

    /// The version of the most recently stored row; 0 before the first.
    package var version: Int { state.withLock { $0.version } }

    /// The current refresh. Rows of an earlier one are shown, and loaded again when they come into view.
    var generation: Generation { state.withLock { $0.generation } }

    /// The start of a load that begins now.
    var loadStart: LoadStart { state.withLock { LoadStart(generation: $0.generation, version: $0.version) } }

    /// Whether a list was fetched in this process.
    package var isListFetched: Bool { state.withLock { $0.isListFetched } }

    func isCurrent(_ id: ID) -> Bool {
        guard let known = rows.value(for: id)?.generation else { return false }
        return state.withLock { $0.isCurrent(known) }
    }

    /// Returns the indices of the rows that are not cached or older than the last refresh.
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
    /// Stores a row, and notifies the screens that show it. Loads that began before do not replace it.
    public func store(_ row: F.Row, for id: ID) {
        store(row, for: id, fetchEpoch: nil, loadStart)
    }

    /// Stores a loaded row and notifies the observers, unless a newer row is cached.
    ///
    /// - Parameters:
    ///   - fetchEpoch: The epoch of the execution that loaded the row; only the first of its waiters stores the row.
    ///   - start: The start of the load.
    func store(_ row: F.Row, for id: ID, fetchEpoch: QueueEpoch?, _ start: LoadStart) {
        let fields = F.Query.indexedFields(of: row)
        let stored = state.withLock { state -> [any FeedCacheObserver<ID>]? in
            if let known = rows.value(for: id), known.isNewer(thanLoadOf: fetchEpoch, start) { return nil }
            state.version += 1
            let generation = start.generation.number
            rows.store(CachedRow(row: row, fetchEpoch: fetchEpoch, generation: generation, version: state.version), for: id)
            state.setFields(fields, of: id)
            state.restoredFeed.recordStored(id)
            return state.observations.observers(of: id)
        }
        guard let observers = stored else { return }
        archive?.put(row, of: id)
        // One update for all observers.
        let update = FeedUpdate(rows: [id])
        for observer in observers { observer.rowsChanged(update) }
    }

    /// Stores a fetched list and notifies all screens.
    ///
    /// - Parameters:
    ///   - fetchEpoch: The epoch of the execution that fetched the list; the list is dropped if the last one has a later epoch of the same queue.
    ///   - refreshEpoch: The epoch of the refresh that requested the list and starts a generation; nil if it was no refresh. The first list
    ///     that replaces a stored one starts a generation, too.
    func store(_ list: F.List, fetchEpoch: QueueEpoch?, refreshEpoch: QueueEpoch?) {
        guard state.withLock({ $0.isNewer(fetchEpoch) }) else { return }
        let snapshot = FeedSnapshot(list.fetchedList)
        let departed = knownIDs(notIn: snapshot)
        let date = now()
        publish { state in
            guard state.isNewer(fetchEpoch) else { return ([], nil) }
            let write =
                archive == nil ? nil : state.restoredFeed.listFetched(snapshot, at: date, after: state.snapshot, removing: departed)
            if let refreshEpoch {
                state.generation = Generation(number: state.generation.number + 1, noOlderThan: refreshEpoch)
            } else if !state.isListFetched, state.snapshot != nil {
                // Rows may have been loaded with references of the stored list.
                state.generation.number += 1
            }
            state.isListFetched = true
            state.listEpoch = fetchEpoch
            return (state.replaceList(with: snapshot, at: date, removing: departed), write)
        }
    }

    /// Returns the rows with indexed fields or a record of the archive that are not in a list, for its replacement of the last one.
    ///
    /// They are searched outside of the lock, because they may be many. Those that are added meanwhile are removed with the next list.
    func knownIDs(notIn list: FeedSnapshot<F.Reference>) -> Set<ID> {
        let (fields, restoredFeed) = state.withLock { ($0.fields, $0.restoredFeed) }
        return restoredFeed.ids(notIn: list).union(fields.ids { list.index(of: $0) == nil })
    }

    /// Changes the list, then stores it and notifies the screens.
    ///
    /// - Parameter change: Called with the state under the lock; returns the screens to notify and the list to store.
    func publish(
        _ change: (inout State) -> (observers: [any FeedCacheObserver<ID>], write: RestoredFeed<F.Reference>.ListWrite?)
    ) {
        let (observers, write) = state.withLock { change(&$0) }
        if let write { archive?.put(write.list, at: write.date, replacing: write.replacedLists) }
        for observer in observers { observer.listChanged() }
    }
}

extension FeedCache.CachedRow {
    /// Whether the row is newer than one that was loaded by the execution with this epoch, nil for none, or was loaded by the same execution.
    fileprivate func isNewer(thanLoadOf epoch: QueueEpoch?, _ start: FeedCache.LoadStart) -> Bool {
        generation > start.generation.number || epoch != nil && (fetchEpoch == epoch || isLocal && version > start.version)
    }
}

extension FeedCache.State {
    /// Whether rows of a generation are up to date.
    func isCurrent(_ generation: Int) -> Bool {
        generation == self.generation.number || !isListFetched && generation == FeedCache.archivedGeneration
    }

    /// Whether a list of this epoch is newer than the last one. The times of executions of different queues are not known.
    fileprivate func isNewer(_ fetchEpoch: QueueEpoch?) -> Bool {
        guard let fetchEpoch, let listEpoch, fetchEpoch.isOfSameQueue(as: listEpoch) else { return true }
        return fetchEpoch > listEpoch
    }

    /// Replaces the list and removes the indexed fields of rows that are no longer in it.
    ///
    /// - Returns: All screens, for the caller to notify.
    mutating func replaceList(
        with list: FeedSnapshot<F.Reference>, at date: Date, removing departed: Set<FeedCache.ID>
    ) -> [any FeedCacheObserver<FeedCache.ID>] {
        (snapshot, listFetchedAt) = (list, date)
        fields.remove(departed)
        indexRevision += 1
        return observations.all
    }

    mutating func setFields(_ fields: F.Query.Fields, of id: FeedCache.ID) {
        guard F.Query.Fields.self != Void.self else { return }
        guard self.fields.count < FeedCache.indexedRowLimit || self.fields[id] != nil else { return }
        self.fields.set(fields, of: id)
        indexRevision += 1
    }
}
