import Synchronization

/// What a queue sees of an operation, whatever its value.
///
/// The requirements up to `end` are called under the lock of the queue and call nobody; the rest are called without it.
protocol QueuedOperation: AnyObject, Sendable {
    var name: String { get }
    var submission: Submission { get }
    var wish: WishID? { get }
    /// The queue it waits or runs in.
    var queue: BackendQueue? { get }
    /// Whether it has neither been submitted nor ended.
    var isNew: Bool { get }
    /// How it ended, for those that depend on it; nil until then.
    var outcome: WorkOutcome? { get }
    var waitsFor: [any QueuedOperation] { get }
    /// It has become a wish of this queue. One that joined a flight needs its own work no more.
    func enlisted(in queue: BackendQueue, as wish: WishID, of flight: OperationMark, joined: Bool)
    func end(_ settlement: Settlement, _ outcome: WorkOutcome)

    /// Tells everybody who waits for it that it has ended.
    func announce()
    /// Runs the work in a task that `interrupt` cancels.
    func start(
        on executor: (any TaskExecutor)?, reportingTo progress: OperationProgress,
        whenDone: @escaping @Sendable (WorkOutcome) -> Void)
    func interrupt()
}

/// How the work of a flight ended.
enum WorkOutcome: Sendable {
    case value(any Sendable)
    case failure(any Error)
    /// It named another operation whose end is to be its own.
    case next(any QueuedOperation)
}

extension BackendOperation: QueuedOperation {
    var submission: Submission {
        Submission(
            lane: lane, key: key.map { .init(key: $0, value: ObjectIdentifier(Value.self)) }, runsAnyway: runsAnyway)
    }

    var wish: WishID? { state.withLock { $0.wish?.id } }

    var queue: BackendQueue? { state.withLock { $0.wish?.queue } }

    var isNew: Bool { state.withLock { $0.wish == nil && $0.result == nil } }

    var outcome: WorkOutcome? {
        switch result {
        case .success(let value): .value(value)
        case .failure(let error): .failure(error)
        case nil: nil
        }
    }

    var waitsFor: [any QueuedOperation] { state.withLock { $0.dependencies } }

    func enlisted(in queue: BackendQueue, as wish: WishID, of flight: OperationMark, joined: Bool) {
        state.withLock {
            $0.wish = (queue, wish)
            $0.flight = flight
            $0.dependencies = []
            if joined { $0.work = nil }
        }
    }

    func end(_ settlement: Settlement, _ outcome: WorkOutcome) {
        _ = end(with: Self.result(settlement, outcome))
    }

    func announce() {
        let (observers, result) = state.withLock { state in
            defer { state.observers = [] }
            return (state.observers, state.result)
        }
        guard let result else { return }
        for observer in observers { observer(result) }
    }

    func start(
        on executor: (any TaskExecutor)?, reportingTo progress: OperationProgress,
        whenDone: @escaping @Sendable (WorkOutcome) -> Void
    ) {
        let task = Task(executorPreference: executor) {
            whenDone(await OperationProgress.$current.withValue(progress) { await self.perform() })
        }
        let isInterrupted = state.withLock {
            $0.task = task
            return $0.isInterrupted
        }
        if isInterrupted { task.cancel() }
    }

    func interrupt() {
        let task = state.withLock {
            $0.isInterrupted = true
            return $0.task
        }
        task?.cancel()
    }

    private func perform() async -> WorkOutcome {
        let work = state.withLock { $0.work.take() }
        do {
            switch work {
            case .value(let work): return .value(try await work())
            case .next(let next): return .next(try await next())
            case nil: preconditionFailure("a flight begins once")
            }
        } catch {
            return .failure(error)
        }
    }

    private static func result(
        _ settlement: Settlement, _ outcome: WorkOutcome
    ) -> Result<Value, any Error> {
        switch (settlement, outcome) {
        case (.succeeded, .value(let value as Value)): .success(value)
        case (.failed, .failure(let error)): .failure(error)
        case (.dependencyFailed, .failure(let error)):
            .failure(OperationError.dependencyFailed(OperationError.rootCause(of: error)))
        case (.cancelled, _): .failure(CancellationError())
        default: preconditionFailure("a settlement tells of the outcome it came from")
        }
    }
}
