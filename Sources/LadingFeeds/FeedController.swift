public import LadingOperations
import Synchronization

/// One feed on one screen: the viewport goes in, updates come out.
///
/// It starts the rows in view, nearest to the middle first, and cancels those that leave it. The list and the rows already known to the
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

    /// What has changed; for one reader.
    public let updates = FeedUpdates<ID>()

    private let feed: F
    private let memory: FeedMemory<F>
    private let queue: BackendQueue
    private let state: Mutex<State>

    private struct State: Sendable {
        var list: FeedList<F.Reference>
        var listOperation: BackendOperation<[F.Reference]>?
        var viewport: Viewport?
        var planner = FeedPlanner<ID>()
        var loading: [ID: BackendOperation<F.Row>] = [:]
        /// Why rows in view failed.
        var failures: [ID: any Error] = [:]
        var isStopped = false
    }

    public init(feed: F, memory: FeedMemory<F>, queue: BackendQueue) {
        self.feed = feed
        self.memory = memory
        self.queue = queue
        let known = memory.snapshot
        self.state = Mutex(State(list: FeedList(snapshot: known ?? FeedSnapshot(), state: known == nil ? .loading : .loaded)))
    }

    deinit { stop() }
}

// MARK: - What is shown

extension FeedController {
    /// The list as it is known now.
    public var list: FeedList<F.Reference> { state.withLock { $0.list } }

    /// What to show in the place of a row.
    public func state(of id: ID) -> FeedRowState<F.Row> {
        if let row = memory.row(for: id) { return .loaded(row) }
        return state.withLock { state in
            if let error = state.failures[id] { return .failed(error) }
            return state.loading[id] == nil ? .waiting : .loading
        }
    }
}

// MARK: - What happens on the screen

extension FeedController {
    /// Fetches the list unless it is known.
    public func start() {
        if memory.snapshot == nil { fetchList(refreshedAt: nil) }
    }

    /// Fetches the list again, and then the rows as they are seen. What was known is shown until it is replaced.
    public func refresh() {
        fetchList(refreshedAt: queue.mark)
    }

    /// Other rows are in view.
    public func show(_ viewport: Viewport) {
        let effects = state.withLock { state in
            state.viewport = viewport
            return plan(&state)
        }
        perform(effects)
    }

    /// Loads a row in view again that failed.
    public func retry(_ id: ID) {
        let effects = state.withLock { state in
            state.failures[id] = nil
            return state.planner.retry(id)
        }
        perform(effects)
    }

    /// Cancels everything and ends the updates. The controller does nothing from then on.
    public func stop() {
        let (list, rows) = state.withLock { state in
            defer {
                state.isStopped = true
                state.loading = [:]
                state.listOperation = nil
            }
            return (state.listOperation, state.loading.values.map { $0 })
        }
        list?.cancel()
        for row in rows { row.cancel() }
        updates.finish()
    }
}

// MARK: - The list

extension FeedController {
    private func fetchList(refreshedAt: OperationMark?) {
        let operation = feed.list()
        let earlier = state.withLock { state -> BackendOperation<[F.Reference]>? in
            guard !state.isStopped else { return operation }
            defer {
                state.listOperation = operation
                state.list.state = .loading
            }
            return state.listOperation
        }
        earlier?.cancel()
        guard earlier !== operation else { return }
        updates.post { $0.isListChanged = true }
        operation.onResult { [weak self, weak operation] result in
            guard let operation else { return }
            self?.listEnded(operation, result, refreshedAt: refreshedAt)
        }
        queue.submit(operation, priority: .visible, notBefore: refreshedAt)
    }

    private func listEnded(
        _ operation: BackendOperation<[F.Reference]>, _ result: Result<[F.Reference], any Error>,
        refreshedAt: OperationMark?
    ) {
        let fetched = result.map { FeedSnapshot($0) }
        let (effects, outdated) = state.withLock { state -> ([FeedPlanner<ID>.Effect]?, [BackendOperation<F.Row>]) in
            guard state.listOperation === operation else { return (nil, []) }
            state.listOperation = nil
            switch fetched {
            case .success(let snapshot):
                memory.store(snapshot, refreshedAt: refreshedAt)
                state.list = FeedList(snapshot: snapshot, number: state.list.number + 1, state: .loaded)
                // What is under way belongs to the list before: it is wished for anew.
                let outdated = Array(state.loading.values)
                state.loading = [:]
                state.planner = FeedPlanner()
                return (plan(&state), outdated)
            case .failure(is CancellationError):
                state.list.state = .loaded
            case .failure(let error):
                state.list.state = .failed(error)
            }
            return ([], [])
        }
        guard let effects else { return }
        for row in outdated { row.cancel() }
        updates.post { $0.isListChanged = true }
        perform(effects)
    }
}

// MARK: - The rows

extension FeedController {
    private func plan(_ state: inout State) -> [FeedPlanner<ID>.Effect] {
        guard let viewport = state.viewport, !state.isStopped else { return [] }
        let references = state.list.snapshot.references(in: viewport.visible)
        let effects = state.planner.show(
            references.map(\.id), from: references.startIndex, middle: viewport.middle, isKnown: memory.isCurrent)
        let ids = Set(references.map(\.id))
        state.failures = state.failures.filter { ids.contains($0.key) }
        return effects
    }

    private func perform(_ effects: [FeedPlanner<ID>.Effect]) {
        for effect in effects {
            switch effect {
            case .start(let id, let priority): load(id, priority)
            case .prioritize(let id, let priority): state.withLock { $0.loading[id] }?.prioritize(priority)
            case .cancel(let id): cancel(id)
            }
        }
    }

    private func load(_ id: ID, _ priority: OperationPriority) {
        let reference = state.withLock { state in
            state.list.snapshot.index(of: id).map { state.list.snapshot.references[$0] }
        }
        guard let reference else { return }
        let operation = feed.load(reference)
        let generation = memory.generation
        let isStarted = state.withLock { state in
            guard !state.isStopped, state.loading[id] == nil else { return false }
            state.loading[id] = operation
            return true
        }
        guard isStarted else { return }
        updates.post { $0.rows.insert(id) }
        operation.onResult { [weak self, weak operation] result in
            guard let operation else { return }
            self?.rowEnded(id, operation, result, generation: generation.number)
        }
        queue.submit(operation, priority: priority, notBefore: generation.notBefore)
    }

    private func rowEnded(
        _ id: ID, _ operation: BackendOperation<F.Row>, _ result: Result<F.Row, any Error>, generation: Int
    ) {
        let isShown = state.withLock { state in
            guard state.loading[id] === operation else { return false }
            state.loading[id] = nil
            state.planner.settle(id)
            switch result {
            case .success(let row): memory.store(row, for: id, generation: generation)
            case .failure(is CancellationError): break
            case .failure(let error): state.failures[id] = error
            }
            return true
        }
        if isShown { updates.post { $0.rows.insert(id) } }
    }

    private func cancel(_ id: ID) {
        guard let operation = state.withLock({ $0.loading.removeValue(forKey: id) }) else { return }
        operation.cancel()
        updates.post { $0.rows.insert(id) }
    }
}
