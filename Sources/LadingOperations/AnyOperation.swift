import Synchronization

/// An operation whatever its value: what a queue runs, and what groups and those who look on need of it.
///
/// It is the substance of a `BackendOperation`, which adds the type of the value.
public final class AnyOperation: Sendable {
    /// What it does, for people: `download order-7.xml`.
    public let name: String
    public let lane: Lane
    public var key: OperationKey? { attributes?.flight.key?.key }
    /// Nil for most.
    let attributes: OperationAttributes?
    let box: Mutex<Box>

    typealias Value = any Sendable
    typealias Observer = @Sendable (Result<Value, any Error>) -> Void

    init(
        name: String, lane: Lane, attributes: OperationAttributes?, dependencies: TinyArray<AnyOperation>, work: Work?,
        completion: OperationCompletion? = nil
    ) {
        self.name = name
        self.lane = lane
        self.attributes = attributes
        self.box = Mutex(Box(work: work, dependencies: dependencies, completion: completion))
    }
}

extension AnyOperation: Hashable {
    public static func == (left: AnyOperation, right: AnyOperation) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AnyOperation {
    /// How it ended; nil until then.
    var result: Result<Value, any Error>? { completion?.result }

    var completion: OperationCompletion? { box.withLock { $0.completion } }

    /// Why it ended without a value; nil while it has not, and when it succeeded.
    public var failure: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The moment when its flight began: the same for all operations that shared one. Nil before it is submitted.
    public var flightEpoch: QueueEpoch? {
        if case .posted = position { queue?.drainInbox() }
        return box.withLock { $0.flightEpoch }
    }

    public var state: OperationState {
        let (end, queue) = box.withLock { ($0.completion, $0.queue) }
        return end?.state ?? queue?.state(of: self) ?? self.completion?.state ?? .new
    }

    /// Every state it comes into from now on, the present one first; ends with the operation. One who reads slowly misses the oldest.
    public var states: AsyncStream<OperationState> {
        while true {
            if let stream = queue?.states(of: self) ?? subscribe(from: .new, in: nil) { return stream }
            // It has been submitted on another thread in the meantime.
        }
    }

    /// A stream that begins with this state, or with that of its end; nil when it is not in this queue any more, or not yet.
    func subscribe(from state: OperationState, in queue: BackendQueue?) -> AsyncStream<OperationState>? {
        box.withLock { box in
            guard box.completion != nil || box.queue === queue else { return nil }
            var followers = box.extras?.stateObservers ?? StateObservers()
            let stream = followers.subscribe(from: box.completion?.state ?? state)
            if box.completion == nil { box.updateExtras { $0.stateObservers = followers } } else { followers.deliver(isLast: true) }
            return stream
        }
    }

    /// How far it is. Operations that share a flight share its progress.
    public var progress: OperationProgress {
        let (progress, leader, end) = box.withLock { box in
            let known = box.extras?.progress
            let progress = known ?? OperationProgress { [weak self] in self?.progressReported($0, of: $1) }
            box.updateExtras { $0.progress = progress }
            return (progress, known == nil ? box.extras?.leader : nil, box.completion)
        }
        if let leader { progress.setSuccessor(leader.progress) }
        if let end { progress.finish(isComplete: end.state == .succeeded) }
        return progress
    }

    /// Takes this wish back. Operations that depend on it are cancelled with it.
    public func cancel() {
        if let queue { return queue.cancel(self) }
        let isCompleted = box.withLock { box in
            guard box.completion == nil, box.position.isDetached else { return false }
            box.dropWork()
            box.complete(.cancelled)
            box.extras?.stateObservers?.append(.cancelled)
            return true
        }
        // It may have been submitted on another thread in the meantime.
        if isCompleted { notifyObservers() } else { queue?.cancel(self) }
    }

    /// Keeps it from starting until it is resumed. Work that has begun goes on, and so does a flight that others want too.
    public func pause() { setPaused(true) }

    /// Lets it start again after `pause`. Without effect when it is not paused.
    public func resume() { setPaused(false) }

    /// Changes how soon it should run; this flows on to what it depends on. Without effect before it is submitted and after it has ended.
    public func prioritize(_ priority: OperationPriority) {
        queue?.prioritize(self, priority)
    }

    /// Calls back exactly once, when it has ended: at once if it has already, otherwise on whichever thread ends it.
    public func onCompletion(_ observer: @escaping @Sendable (OperationState) -> Void) {
        onResult { observer(OperationState($0)) }
    }

    func onResult(_ observer: @escaping Observer) {
        let end = box.withLock { box in
            if box.completion == nil { box.updateExtras { $0.observers.append(observer) } }
            return box.completion
        }
        if let end { observer(end.result) }
    }

    private func setPaused(_ isPaused: Bool) {
        let queue = box.withLock { box in
            box.isPaused = isPaused
            return box.queue
        }
        queue?.setPaused(isPaused, self)
    }

    /// So little may remain that the work is not worth stopping any more.
    private func progressReported(_ completed: Int, of total: Int?) {
        let running = box.withLock { box in
            if let queue = box.running?.worker.queue { box.extras?.transferTiming?.record(completed, at: queue.stopwatch.elapsed()) }
            return box.running
        }
        if let total, let running { running.worker.queue.reportRemaining(total - completed, of: total, in: running.flight) }
    }
}
