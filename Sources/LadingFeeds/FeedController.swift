public import LadingOperations
import Synchronization

/// One feed on one screen: viewport, arrangement and refreshes go in, updates come out.
///
/// It starts the rows that will be seen, nearest to the middle first, and cancels those that leave. The list and the rows already known to the
/// `FeedCache` are there before any request. A failure erases nothing: a list or a row that was known stays until it is replaced.
///
/// ```swift
/// let controller = FeedController(feed: feed, memory: memory, queue: queue)
/// controller.start()
/// controller.show(Viewport(visible: 0..<12))
/// for await update in controller.updates {
///     for id in update.rows { draw(id, controller.state(of: id)) }
/// }
/// ```
public final class FeedController<F: Feed>: Sendable {
    public typealias ID = F.Reference.ID

    /// How soon after another arrangement of the same rows the next one is made while rows become known.
    static var evaluationInterval: Duration { .milliseconds(500) }

    /// What has changed; for one reader.
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
        var list: FeedList<F.Reference>
        var listOperation: BackendOperation<[F.Reference]>?
        /// The arrangement asked for, and that of the list shown.
        var query: F.Query?
        var appliedQuery: F.Query?
        /// The refresh that the rows under way belong to.
        var generation: Int
        /// Whether the list shown was fetched in this process.
        var isListFetched: Bool
        /// The operations that read the archive.
        var archiveReads = ArchiveReads<ID>()
        /// Whether a refresh has let go of the rows in view, which are asked for again once its list is arranged.
        var needsRowReload = false
        var viewport: Viewport?
        var observedRange: Range<Int>?
        var planner: FeedPlanner<F.Reference>
        var indexing = FeedIndexing<ID>()
        /// What is under way for the planner and for the indexing.
        var rowLoads: [ID: RowLoad] = [:]
        var indexingOperations: [ID: BackendOperation<F.Row>] = [:]
        /// Why rows could not be loaded for the arrangement.
        var indexingFailures: [ID: any Error] = [:]
        /// The rows that were last in view.
        var lastVisibleIDs: Set<ID> = []
        /// Why rows in scope failed.
        var failures: [ID: any Error] = [:]
        var queryEvaluation = QueryEvaluation.idle
        /// Tells a rearrangement from one that overtook it.
        var lastEvaluationNumber = 0
        var restTimer: Task<Void, Never>?
        /// When the speed told last is no longer believed.
        var restDeadline: Duration?
        var effects: [Effect] = []
        /// Whether some thread is performing effects; it performs those of other threads as well, so that they keep their order.
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
        case fetchList(BackendOperation<[F.Reference]>, refreshEpoch: QueueEpoch?)
        /// Fetch the list again after a failure.
        case refetchList
        /// Another fetch has taken the place of this one.
        case cancelList(BackendOperation<[F.Reference]>)
        case evaluateQuery(after: Duration)
        /// Begins to read the archive.
        case read(ArchiveReads<ID>.Part)
        /// These rows came into view, and need no work.
        case traceKnown([ID])
        case post(FeedUpdate<ID>)
        /// The list or a row could not be loaded, and can be retried.
        case report(any Error)
    }

    /// - Parameters:
    ///   - screensAtRest: The number of screens that are loaded ahead at rest, in the direction of the last scroll, once all in view is there.
    ///   - clock: Measures how long rows take and how soon a scroll has come to rest.
    ///   - observer: Is told of each change at once and by whichever thread makes it, instead of `updates`: for those who have many controllers
    ///     and gather the changes themselves.
    ///   - onFailure: Is called with each error that kept the list or a row in scope from being loaded, once `retryFailures` would retry it.
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
        let (listedAt, known) = (cache.listFetchedAt, cache.snapshot)
        state = Mutex(
            State(
                list: FeedList(snapshot: known ?? FeedSnapshot(), state: known == nil ? .loading : .loaded),
                generation: cache.generation.number, isListFetched: cache.isListFetched,
                planner: FeedPlanner(prefetchedScreens: prefetchedScreens)))
        change { state in
            if let known { handle(.list(known), &state) }
            cache.observe(0..<0, of: state.list.snapshot, by: self)
        }
        // Another may have come while nobody here was told.
        if cache.listFetchedAt != listedAt { listChanged() }
    }

    deinit {
        stop()
    }
}

// MARK: - What is shown

extension FeedController {
    /// The list as it is known now.
    public var list: FeedList<F.Reference> { state.withLock { $0.list } }

    /// The arrangement that was asked for last; nil for the list as it came.
    public var query: F.Query? { state.withLock { $0.query } }

    /// Whether the list is not yet shown in that arrangement.
    public var isApplyingQuery: Bool { state.withLock { $0.query != $0.appliedQuery } }

    /// Whether rows are being loaded for the arrangement.
    public var isIndexing: Bool { state.withLock { !$0.indexing.isDone } }

    /// Whether all rows are to be loaded for it.
    public var isIndexingAll: Bool { state.withLock { $0.indexing.indexesAll } }

    /// The rows that could not be loaded for the arrangement; nil while loading goes on, and when none failed.
    public var indexingFailure: FeedIndexingFailure? {
        let (failed, errors, isStopped) = state.withLock { state in
            (state.indexing.isDone ? state.indexing.failed : [], state.indexingFailures, state.indexing.isStalled)
        }
        let unread = cache.unindexedIDs(among: failed)
        guard let last = unread.last(where: { errors[$0] != nil }), let error = errors[last] else { return nil }
        return FeedIndexingFailure(count: unread.count, isStopped: isStopped, error: error)
    }

    /// Whether a row in view could not be loaded when that was last tried.
    public func hasFailed(_ id: ID) -> Bool { state.withLock { $0.failures[id] != nil } }

    /// What to show in the place of a row.
    public func state(of id: ID) -> FeedRowState<F.Row> {
        let row = cache.row(for: id)
        let (error, loading) = state.withLock { ($0.failures[id], $0.rowLoads[id]) }
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

// MARK: - What happens on the screen

extension FeedController {
    /// Fetches the list unless it was fetched in this process. Until then the list is shown that an earlier process has stored.
    public func start() {
        if cache.isListRestorePending { change { scheduleRead(.list, &$0) } }
        if !cache.isListFetched { fetchList(refreshEpoch: nil) }
    }

    /// Fetches the list again, and then the rows as they are seen. What was known is shown until it is replaced.
    public func refresh() { fetchList(refreshEpoch: queue.epoch) }

    /// Other rows are in view.
    ///
    /// - Parameter watched: The rows whose changes by others are told; those in view when left out.
    public func setViewport(_ viewport: Viewport, observing watched: Range<Int>? = nil) {
        change { state in
            state.viewport = viewport
            state.observedRange = watched
            updatePlanner(&state)
            if state.isAtEndOfMatches, state.indexing.isDone { planIndexing(&state) }
        }
    }

    /// Filters and sorts the rows otherwise; nil shows the list as it came.
    ///
    /// Rows that are known come first; up to 2,000 of the others are loaded in the background and put in their place as they arrive. As many more follow while
    /// the end of the known ones is in view, and all of them after `indexAll`.
    /// - Parameter goesToTop: Whether the screen shows the top of the new list, or the same indices.
    public func setQuery(_ arrangement: F.Query?, scrollsToTop: Bool = true) {
        let query = arrangement.flatMap { $0.isDefault ? nil : $0 }
        change { state in
            guard state.query != query else { return }
            state.query = query
            state.handleIndexing(.queryChanged)
            state.indexingFailures = [:]
            if scrollsToTop { state.viewport = state.viewport?.atTop }
            if query == nil { state.handleIndexing(.stop) }
            if query != nil, !cache.areFieldsRestored { scheduleRead(.fields, &state) }
            state.effects.append(.evaluateQuery(after: .zero))
        }
    }

    /// Loads all rows in the background, for an arrangement of the whole list, those that failed before too; nothing without one.
    public func indexAll() {
        change { state in
            guard state.query != nil else { return }
            state.handleIndexing(.indexAll)
            state.indexingFailures = [:]
            planIndexing(&state)
            state.post(FeedUpdate(isListChanged: true))
        }
    }

    /// Ends the loading for an arrangement; rows in view are loaded as before. Another arrangement or `indexAll` begins it again.
    public func stopIndexing() {
        change { state in
            state.handleIndexing(.pause)
            state.post(FeedUpdate(isListChanged: true))
        }
    }

    /// Loads a row in view again that failed.
    public func retry(_ id: ID) {
        change { state in
            state.failures[id] = nil
            handle(.retry(id), &state)
        }
    }

    /// Loads again what failed for some reasons: the list, rows in scope, those in view first, and rows for the arrangement.
    ///
    /// - Parameter isRetried: Whether a failure is one of those.
    public func retryFailures(where isRetried: (any Error) -> Bool) {
        change { state in
            let rows = Set(state.failures.filter { isRetried($0.value) }.keys)
            if !rows.isEmpty {
                for id in rows { state.failures[id] = nil }
                handle(.clearFailures(rows), &state)
                state.post(FeedUpdate(rows: rows))
                updatePlanner(&state)
            }
            let failedIDs = Set(state.indexingFailures.filter { isRetried($0.value) }.keys)
            if state.query != nil, !failedIDs.isEmpty {
                for id in failedIDs { state.indexingFailures[id] = nil }
                state.handleIndexing(.clearFailures(failedIDs))
                planIndexing(&state)
            }
            if state.listOperation == nil, let failure = state.list.failure, isRetried(failure) {
                state.list.failure = nil
                state.effects.append(.refetchList)
            }
        }
    }

    /// Cancels everything and ends the updates. The controller does nothing from then on.
    public func stop() {
        cache.removeObserver(ObjectIdentifier(self))
        let (list, rows, tasks, reading) = state.withLock { state in
            let rows = state.rowLoads.values.map(\.operation) + state.indexingOperations.values
            defer {
                state.isStopped = true
                state.archiveReads = ArchiveReads()
                (state.rowLoads, state.indexingOperations, state.listOperation) = ([:], [:], nil)
                (state.restTimer, state.queryEvaluation, state.effects) = (nil, .idle, [])
            }
            return (state.listOperation, rows, [state.restTimer, state.queryEvaluation.task], state.archiveReads.operations)
        }
        list?.cancel()
        for operation in reading { operation.cancel() }
        for row in rows { row.cancel() }
        for task in tasks { task?.cancel() }
        updates.finish()
    }
}

// MARK: - Deciding and performing

extension FeedController.State {
    /// Whether the reader looks at the end of what is known, and more might be found.
    var isAtEndOfMatches: Bool {
        guard query != nil, query == appliedQuery, indexing.isDone, let end = viewport?.visible.upperBound, end > 0 else {
            return false
        }
        return end > list.snapshot.matchedCount && list.snapshot.knownCount < list.snapshot.totalCount
    }

    mutating func handleIndexing(_ event: FeedIndexing<F.Reference.ID>.Event) {
        var decided: [FeedIndexing<F.Reference.ID>.Effect] = []
        indexing.handle(event, effects: &decided)
        effects += decided.map { .indexing($0) }
    }

    mutating func post(_ update: FeedUpdate<F.Reference.ID>) {
        effects.append(.post(update))
    }
}

extension FeedController {
    /// Tells the planner an event and keeps a record of it.
    func handle(_ event: FeedPlanner<F.Reference>.Event, _ state: inout State) {
        let before = state.planner
        var effects: [FeedPlanner<F.Reference>.Effect] = []
        state.planner.handle(event, effects: &effects)
        cache.decisions.withLock { $0.append(.init(for: consumer, before, event, effects)) }
        state.effects += effects.map { .plan($0) }
    }

    /// Changes the state under the lock and performs the effects after it. They come one after the other and in order, from whichever threads.
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
        case .fetchList(let operation, let mark): fetchList(by: operation, refreshEpoch: mark)
        case .refetchList: fetchList(refreshEpoch: cache.snapshot == nil ? nil : queue.epoch)
        case .cancelList(let operation): operation.cancel()
        case .evaluateQuery(let delay): scheduleEvaluation(after: delay)
        case .read(let part): performRead(part)
        case .traceKnown(let ids): queue.recordCacheHits(ids.map { "\(F.Row.self) \($0)" }, for: consumer)
        case .post(let update): notify(update)
        case .report(let error): onFailure?(error)
        }
    }

    func notify(_ update: FeedUpdate<ID>) {
        if let observer { observer(update) } else { updates.post(update) }
    }
}
