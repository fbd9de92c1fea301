import Synchronization
import Timing

/// A type-erased operation, as queues and groups store it.
///
/// It is the storage of a `BackendOperation`, which adds the type of the value.
public final class AnyOperation: Sendable {
    /// The name for logs and traces: `download order-7.xml`.
    public let name: String
    public let lane: Lane
    package var key: OperationKey? { attributes?.flight.key?.key }
    /// The optional attributes; nil for most operations.
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
    /// The result; nil until the operation has completed.
    var result: Result<Value, any Error>? { completion?.result }

    var completion: OperationCompletion? { box.withLock { $0.completion } }

    /// The error of a failed or cancelled operation; nil while it is not completed, and when it succeeded.
    public var failure: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The epoch in which the flight began, equal for all operations that share it. Nil before submission.
    var flightEpoch: FlightEpoch? { box.withLock { $0.flightEpoch } }

    public var state: OperationState {
        let (completion, queue) = box.withLock { ($0.completion, $0.queue) }
        return completion?.state ?? queue?.state(of: self) ?? self.completion?.state ?? .new
    }

    /// The current state and all later ones; finishes with the operation. A slow reader misses the oldest states.
    package var states: AsyncStream<OperationState> {
        while true {
            if let stream = queue?.states(of: self) ?? subscribe(from: .new, in: nil) { return stream }
            // Another thread has submitted the operation in the meantime.
        }
    }

    /// Returns a stream that starts with the given or the final state; nil when the operation is not attached to this queue.
    func subscribe(from state: OperationState, in queue: BackendQueue?) -> AsyncStream<OperationState>? {
        box.withLock { box in
            guard box.completion != nil || box.queue === queue else { return nil }
            if let completion = box.completion { return StateObservers.stream(ofLast: completion.state) }
            var observers = box.extras?.stateObservers ?? StateObservers()
            let stream = observers.subscribe(from: state)
            box.updateExtras { $0.stateObservers = observers }
            return stream
        }
    }

    /// The progress of the work. Operations of one flight share their progress.
    public var progress: OperationProgress {
        let progress = unfinishedProgress
        if let completion { progress.finish(isComplete: completion.state == .succeeded) }
        return progress
    }

    /// The progress, created on first use, without notifying its readers if the operation has completed.
    var unfinishedProgress: OperationProgress {
        let (progress, successor) = box.withLock { box in
            if let progress = box.extras?.progress { return (progress, AnyOperation?.none) }
            let progress = OperationProgress(isOfOperation: true) { [weak self] in self?.reportProgress($0) }
            // The leader was attached earlier, and never takes the lock of an operation that joined its flight.
            if let leader = box.extras?.leader { progress.setSuccessor(leader.unfinishedProgress) }
            box.updateExtras { $0.progress = progress }
            return (progress, box.extras?.successor)
        }
        if let successor { progress.setSuccessor(successor.unfinishedProgress) }
        return progress
    }

    /// Cancels the operation and all operations that depend on it.
    public func cancel() {
        if let queue { return queue.cancel(self) }
        var released = ReleasedReferences()
        let isCompleted = box.withLock { box in
            guard box.completion == nil, box.position.isDetached else { return false }
            box.dropWork(into: &released)
            box.complete(.cancelled, releasing: &released)
            box.extras?.stateObservers?.append(.cancelled)
            return true
        }
        // Another thread may have submitted the operation in the meantime.
        if isCompleted { notifyObservers() } else { queue?.cancel(self) }
    }

    /// Prevents the operation from starting until `resume`. Running work continues, and so does a flight that other operations share.
    public func pause() { setPaused(true) }

    /// Allows the operation to start again after `pause`. No effect when it is not paused.
    public func resume() { setPaused(false) }

    /// Changes the priority of the operation and its dependencies. No effect before submission and after completion.
    public func prioritize(_ priority: OperationPriority) {
        queue?.prioritize(self, priority)
    }

    /// Calls the observer exactly once with the final state: immediately when the operation has completed, otherwise on the thread that completes it.
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

    /// Records the timing of a transfer, and reports its remaining bytes to the queue. Other units than bytes are ignored.
    private func reportProgress(_ progress: OperationProgress.Snapshot) {
        guard progress.unit == .bytes else { return }
        let running = box.withLock { box in
            if let queue = box.running?.worker.queue {
                box.extras?.transferTiming?.record(progress.completed, at: queue.stopwatch.elapsed())
            }
            return box.running
        }
        guard let total = progress.total, let running else { return }
        running.worker.queue.reportRemaining(total - progress.completed, of: total, in: running.flight)
    }
}
