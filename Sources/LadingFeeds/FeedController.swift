import LadingCaching
public import LadingOperations
import Synchronization
import Timing

/// The controller of a feed on one screen: it receives the viewport, query and refreshes and sends updates.
///
/// It loads the rows that will come into view, nearest to the middle first, and cancels those that leave it. The list and the rows in the `FeedCache`
/// are available before any request. A failure erases nothing: a list or a row stays until it is replaced.
///
/// ```swift
/// let controller = FeedController(feed: feed, cache: cache, queue: queue)
/// controller.start()
/// controller.setViewport(Viewport(visible: 0..<12))
/// for await update in controller.updates {
///     for id in update.rows { draw(id, controller.state(of: id)) }
/// }
/// ```
public final class FeedController<F: Feed>: Sendable {
    public typealias ID = F.Reference.ID

    /// The minimum time between two evaluations of a query while rows become known.
    static var evaluationInterval: Duration { .milliseconds(500) }

    /// The changes of the list and the rows; for one reader.
    public let updates = FeedUpdates<ID>()

    private let observer: (@Sendable (FeedUpdate<ID>) -> Void)?
    private let onFailure: (@Sendable (any Error) -> Void)?
    let feed: F
    let cache: FeedCache<F>
    let queue: BackendQueue
    let consumer: OperationConsumer
    let time: Stopwatch
    let state: Mutex<State>

    struct State: Sendable {
        /// The list shown, the number of lists shown, and the number of queries that were set and applied.
        var snapshot: FeedSnapshot<F.Reference>
        var revision = 0
        var appliedQueryCount = 0
        var listFetch: ListFetch<F>
        /// The functions to call at the end of the fetch.
        var listEndHandlers: [@Sendable () -> Void] = []
        /// The requested query, and the query of the list shown.
        var query: F.Query?
        var appliedQuery: F.Query?
        /// The refresh of the rows that are being loaded.
        var generation: Int
        /// The reads of the archive that are in progress.
        var archiveReads = ArchiveReads<ID>()
        /// Whether a refresh has cancelled the rows in view. None is loaded until the query was applied to its list.
        var needsRowReload = false
        var viewport: Viewport?
        var observedRange: Range<Int>?
        var planner: FeedPlanner<F.Reference>
        var indexing = FeedIndexing<ID>()
        /// The operations that load rows for the planner and for indexing.
        var rowLoads: [ID: RowLoad] = [:]
        /// The requests of rows since the last viewport or list.
        var requests = RowRequests<ID>()
        var indexingOperations: [ID: BackendOperation<F.Row>] = [:]
        /// The rows that were in view at the last update.
        var lastVisibleIDs: Set<ID> = []
        var queryEvaluation = QueryEvaluation()
        /// The task that waits for the next evaluation of the query, or performs it.
        var evaluationTask: Task<Void, Never>?
        var restTimer: Task<Void, Never>?
        /// The time at which the reported velocity expires.
        var restDeadline: Duration?
        var effects: [Effect] = []
        /// Whether a thread is performing effects. It performs those of other threads too, which preserves their order.
        var isPerforming = false
        var isStopped = false
    }

    struct RowLoad: Sendable {
        let operation: BackendOperation<F.Row>
        let startedAt: Duration
    }

    enum Effect: Sendable {
        case plan(FeedPlanner<F.Reference>.Effect)
        case indexing(FeedIndexing<ID>.Effect)
        case listFetch(ListFetch<F>.Effect)
        case evaluation(QueryEvaluation.Effect)
        case fetchList(BackendOperation<F.List>, refreshEpoch: QueueEpoch?)
        /// Read a part of the archive.
        case read(ArchiveReads<ID>.Part)
        /// Record that these rows came into view and need no work.
        case traceKnown([ID])
        case post(FeedUpdate<ID>)
        /// Report that a row failed and can be retried.
        case report(any Error)
    }

    /// Creates a controller.
    ///
    /// - Parameters:
    ///   - prefetchedScreens: The number of screens that are prefetched at rest, in the direction of the last scroll, once all rows in view are
    ///     loaded, as many as fit into the cache beside the rows in view.
    ///   - clock: Measures the latency of rows and the lifetime of a reported velocity.
    ///   - observer: Called with each change at once, on the thread that makes it, instead of `updates`: for owners of many controllers that merge
    ///     the changes themselves.
    ///   - onFailure: Called with each error of the list or of a row in scope, once `retryFailures` can retry it.
    public init(
        feed: F, cache: FeedCache<F>, queue: BackendQueue, prefetchedScreens: Int = 0, clock: some Clock<Duration> = ContinuousClock(),
        observer: (@Sendable (FeedUpdate<ID>) -> Void)? = nil, onFailure: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.observer = observer
        self.onFailure = onFailure
        self.feed = feed
        self.cache = cache
        self.queue = queue
        consumer = queue.makeConsumer()
        time = Stopwatch(clock)
        let known = cache.snapshot
        state = Mutex(
            State(
                snapshot: known ?? FeedSnapshot(), listFetch: ListFetch(isListKnown: known != nil),
                generation: cache.generation.number,
                planner: FeedPlanner(prefetchedScreens: prefetchedScreens, rowLimit: cache.rows.costLimit)))
        change { state in
            if let known { handle(.list(known), &state) }
            cache.observe(0..<0, of: state.snapshot, by: self)
        }
        // The list may have changed before this controller observed the cache.
        if cache.snapshot !== known { listChanged() }
    }

    deinit {
        stop()
    }
}

// MARK: - State

extension FeedController {
    /// The list as it is shown now.
    public var list: FeedList<F.Reference> { state.withLock { $0.list } }

    /// Whether this controller fetches the list.
    var isFetchingList: Bool { state.withLock { $0.listFetch.operation != nil } }

    /// The query that was set last; nil for the server order.
    public var query: F.Query? { state.withLock { $0.query } }

    /// Whether the list shown does not reflect the query yet.
    public var isApplyingQuery: Bool { state.withLock { $0.query != $0.appliedQuery } }

    /// Whether rows are being loaded for the query.
    public var isIndexing: Bool { state.withLock { !$0.indexing.isDone } }

    /// Whether all rows are to be loaded for the query.
    package var isIndexingAll: Bool { state.withLock { $0.indexing.indexesAll } }

    /// The rows that could not be loaded for the query; nil while indexing is active and if no row failed.
    public var indexingFailure: FeedIndexingFailure? {
        let (failed, isStopped) = state.withLock { state in
            (state.indexing.isDone ? state.indexing.failed : [], state.indexing.hasReachedFailureLimit)
        }
        let unread = Set(cache.idsWithoutFields(among: failed.map(\.id)))
        guard let last = failed.last(where: { unread.contains($0.id) && !$0.isCancellation }) else { return nil }
        return FeedIndexingFailure(count: unread.count, isStopped: isStopped, error: last.error)
    }

    /// Whether the last attempt to load a row in view failed.
    package func hasFailed(_ id: ID) -> Bool { state.withLock { $0.planner.failure(of: id) != nil } }

    /// Returns the state of a row.
    public func state(of id: ID) -> FeedRowState<F.Row> {
        let row = cache.row(for: id)
        let (error, loading) = state.withLock { ($0.planner.failure(of: id), $0.rowLoads[id]) }
        switch (row, error) {
        case (let row?, let error?): return .stale(row, error)
        case (let row?, nil): return .loaded(row)
        case (nil, let error?): return .failed(error)
        case (nil, nil): break
        }
        guard let loading else { return .idle }
        return loading.operation.lastRetry.map { .retrying($0.error) } ?? .loading
    }
}

// MARK: - Events

extension FeedController {
    /// Fetches the list unless it was or is being fetched in this process. Until then a list stored by an earlier process is shown.
    public func start() {
        change { readStoredList(&$0) }
        if !cache.isListFetched, !isFetchingList { fetchList(refreshEpoch: nil) }
    }

    /// Fetches the list again, and then the rows as they come into view. Old content is shown until it is replaced.
    public func refresh() { fetchList(refreshEpoch: queue.epoch) }

    /// Sets the visible rows.
    public func setViewport(_ viewport: Viewport) { setViewport(viewport, observing: nil) }

    /// Sets the visible rows.
    ///
    /// - Parameter observed: The rows for which changes by other screens are reported; nil for the visible ones.
    package func setViewport(_ viewport: Viewport, observing observed: Range<Int>?) {
        change { setViewport(viewport, observing: observed, &$0) }
    }

    /// Filters and sorts the rows; nil shows the server order.
    ///
    /// Known rows come first. Up to 2,000 others are loaded in the background and inserted at their positions. As many more follow while the end of
    /// the known ones is in view, and all others after `indexAll`.
    /// - Parameter scrollsToTop: Whether the viewport moves to the top of the new list or stays at its indices.
    public func setQuery(_ newQuery: F.Query?, scrollsToTop: Bool = true) {
        let query = newQuery.flatMap { $0.isDefault ? nil : $0 }
        change { state in
            guard state.query != query else { return }
            state.query = query
            state.handleIndexing(.queryChanged)
            if scrollsToTop { state.viewport = state.viewport?.atTop }
            if query == nil { state.handleIndexing(.stop) }
            if query != nil { readStoredFields(&state) }
            state.handleEvaluation(.schedule(after: .zero))
        }
    }

    /// Loads all rows in the background for the query, including those that failed. Without a query it has no effect.
    public func indexAll() {
        change { state in
            guard state.query != nil else { return }
            state.handleIndexing(.indexAll)
            readStoredFields(&state)
            planIndexing(&state)
            state.post(FeedUpdate(isListChanged: true))
        }
    }

    /// Stops loading rows for the query; rows in view are still loaded. Another query or `indexAll` resumes it.
    public func stopIndexing() {
        change { state in
            state.handleIndexing(.pause)
            state.post(FeedUpdate(isListChanged: true))
        }
    }

    /// Loads a failed row in view again.
    public func retry(_ id: ID) {
        change { handle(.retry(id), &$0) }
    }

    /// Retries failures with some errors: the list, rows in scope, visible ones first, and rows that failed during indexing.
    ///
    /// - Parameter isRetried: Whether to retry a failure with this error.
    public func retryFailures(where isRetried: (any Error) -> Bool) {
        change { state in
            let rows = state.planner.failures(where: isRetried)
            if !rows.isEmpty {
                handle(.clearFailures(rows), &state)
                state.post(FeedUpdate(rows: rows))
                updatePlanner(&state)
            }
            let failedIDs = state.indexing.failures(where: isRetried)
            if state.query != nil, !failedIDs.isEmpty {
                state.handleIndexing(.clearFailures(failedIDs))
                planIndexing(&state)
            }
            if let failure = state.listFetch.failure, isRetried(failure) { state.handleListFetch(.retryFailure) }
        }
    }

    /// Cancels all operations and ends the updates. Later calls have no effect.
    public func stop() {
        let (list, rows, tasks, reading) = state.withLock { state in
            let rows = state.rowLoads.values.map(\.operation) + state.indexingOperations.values
            defer {
                state.isStopped = true
                (state.archiveReads, state.queryEvaluation) = (ArchiveReads(), QueryEvaluation())
                (state.rowLoads, state.indexingOperations, state.effects) = ([:], [:], [])
                (state.restTimer, state.evaluationTask) = (nil, nil)
            }
            return (state.listFetch.stop(), rows, [state.restTimer, state.evaluationTask], state.archiveReads.operations)
        }
        // A viewport that was set before the state changed may have observed the cache until then.
        cache.removeObserver(ObjectIdentifier(self))
        list?.cancel()
        for operation in reading { operation.cancel() }
        for row in rows { row.cancel() }
        for task in tasks { task?.cancel() }
        callListEndHandlers()
        updates.finish()
    }
}

// MARK: - Effects

extension FeedController.State {
    /// The list as it is shown.
    var list: FeedList<F.Reference> {
        var list = FeedList(snapshot: snapshot, state: listFetch.state, failure: listFetch.failure)
        (list.revision, list.appliedQueryCount) = (revision, appliedQueryCount)
        return list
    }

    /// Whether the end of the matching rows is in view and unknown rows may match.
    var isAtEndOfMatches: Bool {
        guard query != nil, query == appliedQuery, indexing.isDone, let end = viewport?.visible.upperBound, end > 0 else {
            return false
        }
        return end > snapshot.matchedCount && snapshot.knownCount < snapshot.totalCount
    }

    mutating func handleIndexing(_ event: FeedIndexing<F.Reference.ID>.Event) {
        var decided: [FeedIndexing<F.Reference.ID>.Effect] = []
        indexing.handle(event, effects: &decided)
        effects += decided.map { .indexing($0) }
    }

    mutating func handleListFetch(_ event: ListFetch<F>.Event) {
        var decided: [ListFetch<F>.Effect] = []
        listFetch.handle(event, effects: &decided)
        effects += decided.map { .listFetch($0) }
    }

    mutating func handleEvaluation(_ event: QueryEvaluation.Event) {
        var decided: [QueryEvaluation.Effect] = []
        queryEvaluation.handle(event, effects: &decided)
        effects += decided.map { .evaluation($0) }
    }

    mutating func post(_ update: FeedUpdate<F.Reference.ID>) {
        effects.append(.post(update))
    }
}

extension FeedController {
    /// Passes an event to the planner and records its decision.
    func handle(_ event: FeedPlanner<F.Reference>.Event, _ state: inout State) {
        let before = state.planner
        var effects: [FeedPlanner<F.Reference>.Effect] = []
        state.planner.handle(event, effects: &effects)
        cache.decisions.withLock { $0.append(.init(for: consumer, before, event, effects)) }
        state.effects += effects.map { .plan($0) }
    }

    /// Changes the state under the lock and performs the effects after unlocking, in order and one at a time across threads.
    func change(_ event: (inout State) -> Void) {
        let isPerformer = state.withLock { state in
            guard !state.isStopped else { return false }
            event(&state)
            guard !state.isPerforming, !state.effects.isEmpty else { return false }
            state.isPerforming = true
            return true
        }
        guard isPerformer else { return }
        while case let effects = drainEffects(), !effects.isEmpty {
            for effect in effects { perform(effect) }
        }
    }

    private func drainEffects() -> [Effect] {
        state.withLock { state in
            defer { state.effects = [] }
            state.isPerforming = !state.effects.isEmpty
            return state.effects
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .plan(.start(let id, let priority)): load(id, priority)
        case .plan(.prioritize(let id, let priority)): state.withLock { $0.rowLoads[id] }?.operation.prioritize(priority)
        case .plan(.cancel(let id)): cancel(id)
        case .plan(.scheduleRest(let duration)): scheduleRest(after: duration)
        case .indexing(.start(let id)): loadForIndexing(id)
        case .indexing(.cancel(let id)): state.withLock { $0.indexingOperations.removeValue(forKey: id) }?.cancel()
        case .listFetch(.cancel(let operation)): operation.cancel()
        case .listFetch(.fetchAgain): fetchList(refreshEpoch: cache.snapshot == nil ? nil : queue.epoch)
        case .listFetch(.report(let error)), .report(let error): onFailure?(error)
        case .evaluation(.startTimer(let number, let delay)): startEvaluationTimer(number, after: delay)
        case .fetchList(let operation, let refreshEpoch): fetchList(by: operation, refreshEpoch: refreshEpoch)
        case .read(let part): performRead(part)
        case .traceKnown(let ids): queue.recordCacheHits(ids.map { "\(F.Row.self) \($0)" }, for: consumer)
        case .post(let update): notify(update)
        }
    }

    func notify(_ update: FeedUpdate<ID>) {
        if let observer { observer(update) } else { updates.post(update) }
    }
}
