public import LadingOperations
import Synchronization

/// One feed on one screen: viewport, arrangement and refreshes go in, updates come out.
///
/// It starts the rows that will be seen, nearest to the middle first, and cancels those that leave. The list and the rows already known to the
/// `FeedMemory` are there before any request. A failure erases nothing: a list or a row that was known stays until it is replaced.
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
    static var rearrangeInterval: Duration { .milliseconds(500) }

    /// What has changed; for one reader.
    public let updates = FeedUpdates<ID>()

    private let observer: (@Sendable (FeedUpdate<ID>) -> Void)?
    private let onFailure: (@Sendable (any Error) -> Void)?
    let feed: F
    let memory: FeedMemory<F>
    let queue: BackendQueue
    let viewer: OperationViewer
    let time: Stopwatch
    let state: Mutex<State>

    struct State: Sendable {
        var list: FeedList<F.Reference>
        var listOperation: BackendOperation<[F.Reference]>?
        /// The arrangement asked for, and that of the list shown.
        var arrangement: F.Arrangement?
        var shownArrangement: F.Arrangement?
        /// The refresh that the rows under way belong to.
        var generation: Int
        /// Whether the list shown was fetched in this process.
        var isListFetched: Bool
        /// The operations that read the archive.
        var reading = ArchiveReading<ID>()
        /// Whether a refresh has let go of the rows in view, which are asked for again once its list is arranged.
        var isRenewed = false
        var viewport: Viewport?
        var watched: Range<Int>?
        var planner: FeedPlanner<F.Reference>
        var survey = FeedSurvey<ID>()
        /// What is under way for the planner and for the survey.
        var loading: [ID: Loading] = [:]
        var surveying: [ID: BackendOperation<F.Row>] = [:]
        /// Why rows could not be loaded for the arrangement.
        var surveyFailures: [ID: any Error] = [:]
        /// The rows that were last in view.
        var seen: Set<ID> = []
        /// Why rows in scope failed.
        var failures: [ID: any Error] = [:]
        var rearrangement = Rearrangement.idle
        /// Tells a rearrangement from one that overtook it.
        var rearrangements = 0
        var resting: Task<Void, Never>?
        /// When the speed told last is no longer believed.
        var restDeadline: Duration?
        var effects: [Effect] = []
        /// Whether some thread is performing effects; it performs those of other threads as well, so that they keep their order.
        var isPerforming = false
        var isStopped = false
    }

    struct Loading: Sendable {
        let operation: BackendOperation<F.Row>
        let startedAt: Duration
    }

    enum Effect: Sendable {
        case plan(FeedPlanner<F.Reference>.Effect)
        case survey(FeedSurvey<ID>.Effect)
        case fetchList(BackendOperation<[F.Reference]>, refreshedAt: OperationMark?)
        /// Fetch the list again after a failure.
        case renewList
        /// Another fetch has taken the place of this one.
        case cancelList(BackendOperation<[F.Reference]>)
        case rearrange(after: Duration)
        /// Begins to read the archive.
        case read(ArchiveReading<ID>.Part)
        /// These rows came into view, and need no work.
        case noteKnown([ID])
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
        feed: F, memory: FeedMemory<F>, queue: BackendQueue, screensAtRest: Int = 0, clock: some Clock<Duration> = ContinuousClock(),
        observer: (@Sendable (FeedUpdate<ID>) -> Void)? = nil, onFailure: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.observer = observer
        self.onFailure = onFailure
        self.feed = feed
        self.memory = memory
        self.queue = queue
        viewer = queue.makeViewer()
        time = Stopwatch(clock)
        let (listedAt, known) = (memory.listedAt, memory.snapshot)
        state = Mutex(
            State(
                list: FeedList(snapshot: known ?? FeedSnapshot(), state: known == nil ? .loading : .loaded),
                generation: memory.generation.number, isListFetched: memory.isListFetched,
                planner: FeedPlanner(screensAtRest: screensAtRest)))
        change { state in
            if let known { decide(.list(known), &state) }
            memory.watch(0..<0, of: state.list.snapshot, by: self)
        }
        // Another may have come while nobody here was told.
        if memory.listedAt != listedAt { listChanged() }
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
    public var arrangement: F.Arrangement? { state.withLock { $0.arrangement } }

    /// Whether the list is not yet shown in that arrangement.
    public var isArranging: Bool { state.withLock { $0.arrangement != $0.shownArrangement } }

    /// Whether rows are being loaded for the arrangement.
    public var isLoadingForArrangement: Bool { state.withLock { !$0.survey.isDone } }

    /// Whether all rows are to be loaded for it.
    public var isLoadingAll: Bool { state.withLock { $0.survey.takesAll } }

    /// The rows that could not be loaded for the arrangement; nil while loading goes on, and when none failed.
    public var arrangementFailure: FeedArrangementFailure? {
        let (failed, errors, isStopped) = state.withLock { state in
            (state.survey.isDone ? state.survey.failed : [], state.surveyFailures, state.survey.isStalled)
        }
        let unread = memory.unknown(among: failed)
        guard let last = unread.last(where: { errors[$0] != nil }), let error = errors[last] else { return nil }
        return FeedArrangementFailure(count: unread.count, isStopped: isStopped, error: error)
    }

    /// Whether a row in view could not be loaded when that was last tried.
    public func hasFailed(_ id: ID) -> Bool { state.withLock { $0.failures[id] != nil } }

    /// What to show in the place of a row.
    public func state(of id: ID) -> FeedRowState<F.Row> {
        let row = memory.row(for: id)
        let (error, loading) = state.withLock { ($0.failures[id], $0.loading[id]) }
        switch (row, error) {
        case (let row?, let error?): return .stale(row, error)
        case (let row?, nil): return .loaded(row)
        case (nil, let error?): return .failed(error)
        case (nil, nil): break
        }
        guard let loading else { return .waiting }
        return loading.operation.setback.map { .retrying($0.error) } ?? .loading
    }
}

// MARK: - What happens on the screen

extension FeedController {
    /// Fetches the list unless it was fetched in this process. Until then the list is shown that an earlier process has stored.
    public func start() {
        if memory.isListUnread { change { read(.list, &$0) } }
        if !memory.isListFetched { fetchList(refreshedAt: nil) }
    }

    /// Fetches the list again, and then the rows as they are seen. What was known is shown until it is replaced.
    public func refresh() { fetchList(refreshedAt: queue.mark) }

    /// Other rows are in view.
    ///
    /// - Parameter watched: The rows whose changes by others are told; those in view when left out.
    public func show(_ viewport: Viewport, watching watched: Range<Int>? = nil) {
        change { state in
            state.viewport = viewport
            state.watched = watched
            look(&state)
            if state.isWaitedFor, state.survey.isDone { survey(&state) }
        }
    }

    /// Filters and sorts the rows otherwise; nil shows the list as it came.
    ///
    /// Rows that are known come first; up to 2,000 of the others are loaded in the background and put in their place as they arrive. As many more follow while
    /// the end of the known ones is in view, and all of them after `loadAll`.
    /// - Parameter goesToTop: Whether the screen shows the top of the new list, or the same indices.
    public func arrange(_ arrangement: F.Arrangement?, goesToTop: Bool = true) {
        let arrangement = arrangement.flatMap { $0.isPlain ? nil : $0 }
        change { state in
            guard state.arrangement != arrangement else { return }
            state.arrangement = arrangement
            state.survey(.renew)
            state.surveyFailures = [:]
            if goesToTop { state.viewport = state.viewport?.atTop }
            if arrangement == nil { state.survey(.stop) }
            if arrangement != nil, !memory.areFactsRead { read(.facts, &state) }
            state.effects.append(.rearrange(after: .zero))
        }
    }

    /// Loads all rows in the background, for an arrangement of the whole list, those that failed before too; nothing without one.
    public func loadAll() {
        change { state in
            guard state.arrangement != nil else { return }
            state.survey(.takeAll)
            state.surveyFailures = [:]
            survey(&state)
            state.post(FeedUpdate(isListChanged: true))
        }
    }

    /// Ends the loading for an arrangement; rows in view are loaded as before. Another arrangement or `loadAll` begins it again.
    public func stopLoading() {
        change { state in
            state.survey(.hold)
            state.post(FeedUpdate(isListChanged: true))
        }
    }

    /// Loads a row in view again that failed.
    public func retry(_ id: ID) {
        change { state in
            state.failures[id] = nil
            decide(.retry(id), &state)
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
                decide(.forgive(rows), &state)
                state.post(FeedUpdate(rows: rows))
                look(&state)
            }
            let surveyed = Set(state.surveyFailures.filter { isRetried($0.value) }.keys)
            if state.arrangement != nil, !surveyed.isEmpty {
                for id in surveyed { state.surveyFailures[id] = nil }
                state.survey(.forgive(surveyed))
                survey(&state)
            }
            if state.listOperation == nil, let failure = state.list.failure, isRetried(failure) {
                state.list.failure = nil
                state.effects.append(.renewList)
            }
        }
    }

    /// Cancels everything and ends the updates. The controller does nothing from then on.
    public func stop() {
        memory.unwatch(ObjectIdentifier(self))
        let (list, rows, tasks, reading) = state.withLock { state in
            let rows = state.loading.values.map(\.operation) + state.surveying.values
            defer {
                state.isStopped = true
                state.reading = ArchiveReading()
                (state.loading, state.surveying, state.listOperation) = ([:], [:], nil)
                (state.resting, state.rearrangement, state.effects) = (nil, .idle, [])
            }
            return (state.listOperation, rows, [state.resting, state.rearrangement.task], state.reading.operations)
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
    var isWaitedFor: Bool {
        guard arrangement != nil, arrangement == shownArrangement, survey.isDone, let end = viewport?.visible.upperBound, end > 0 else {
            return false
        }
        return end > list.snapshot.arrangedCount && list.snapshot.knownCount < list.snapshot.totalCount
    }

    mutating func survey(_ event: FeedSurvey<F.Reference.ID>.Event) {
        var decided: [FeedSurvey<F.Reference.ID>.Effect] = []
        survey.handle(event, effects: &decided)
        effects += decided.map { .survey($0) }
    }

    mutating func post(_ update: FeedUpdate<F.Reference.ID>) {
        effects.append(.post(update))
    }
}

extension FeedController {
    /// Tells the planner an event and keeps a record of it.
    func decide(_ event: FeedPlanner<F.Reference>.Event, _ state: inout State) {
        let before = state.planner
        var effects: [FeedPlanner<F.Reference>.Effect] = []
        state.planner.handle(event, effects: &effects)
        memory.record.withLock { $0.note(.init(for: viewer, before, event, effects)) }
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
        while case let effects = takeEffects(), !effects.isEmpty {
            for effect in effects { perform(effect) }
        }
    }

    private func takeEffects() -> [Effect] {
        state.withLock { state in
            defer { state.effects = [] }
            state.isPerforming = !state.effects.isEmpty
            return state.effects
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .plan(.start(let id, let priority)): load(id, priority)
        case .plan(.prioritize(let id, let priority)): state.withLock { $0.loading[id] }?.operation.prioritize(priority)
        case .plan(.cancel(let id)): cancel(id)
        case .plan(.expectRest(let duration)): expectRest(after: duration)
        case .survey(.start(let id)): survey(id)
        case .survey(.cancel(let id)): state.withLock { $0.surveying.removeValue(forKey: id) }?.cancel()
        case .fetchList(let operation, let mark): fetchList(by: operation, refreshedAt: mark)
        case .renewList: fetchList(refreshedAt: memory.snapshot == nil ? nil : queue.mark)
        case .cancelList(let operation): operation.cancel()
        case .rearrange(let delay): rearrange(after: delay)
        case .read(let part): read(part)
        case .noteKnown(let ids): queue.noteKnown(ids.map { "\(F.Row.self) \($0)" }, for: viewer)
        case .post(let update): tell(update)
        case .report(let error): onFailure?(error)
        }
    }

    func tell(_ update: FeedUpdate<ID>) {
        if let observer { observer(update) } else { updates.post(update) }
    }
}
