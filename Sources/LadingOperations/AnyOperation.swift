import Synchronization

/// An operation whatever its value: what a queue runs, and what groups and those who look on need of it.
///
/// It is the substance of a `BackendOperation`, which adds the type of the value.
public final class AnyOperation: Sendable {
    /// What it does, for people: `download order-7.xml`.
    public let name: String
    public let lane: Lane
    public var key: OperationKey? { traits?.flight.key?.key }
    /// Nil for most.
    let traits: OperationTraits?
    let box: Mutex<Box>

    typealias Value = any Sendable
    typealias Observer = @Sendable (Result<Value, any Error>) -> Void

    init(
        name: String, lane: Lane, traits: OperationTraits?, dependencies: ShortList<AnyOperation>, work: Work?,
        end: OperationEnd? = nil
    ) {
        self.name = name
        self.lane = lane
        self.traits = traits
        self.box = Mutex(Box(work: work, dependencies: dependencies, end: end))
    }
}

extension AnyOperation: Hashable {
    public static func == (left: AnyOperation, right: AnyOperation) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AnyOperation {
    /// How it ended; nil until then.
    var result: Result<Value, any Error>? { end?.result }

    var end: OperationEnd? { box.withLock { $0.end } }

    /// Why it ended without a value; nil while it has not, and when it succeeded.
    public var failure: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The moment when its flight began: the same for all operations that shared one. Nil before it is submitted.
    public var flightMark: OperationMark? {
        if case .posted = place { queue?.takeIn() }
        return box.withLock { $0.flight }
    }

    public var state: OperationState {
        let (end, queue) = box.withLock { ($0.end, $0.queue) }
        return end?.state ?? queue?.state(of: self) ?? self.end?.state ?? .new
    }

    /// Every state it comes into from now on, the present one first; ends with the operation. One who reads slowly misses the oldest.
    public var states: AsyncStream<OperationState> {
        while true {
            if let stream = queue?.follow(self) ?? follow(from: .new, in: nil) { return stream }
            // It has been submitted on another thread in the meantime.
        }
    }

    /// A stream that begins with this state, or with that of its end; nil when it is not in this queue any more, or not yet.
    func follow(from state: OperationState, in queue: BackendQueue?) -> AsyncStream<OperationState>? {
        box.withLock { box in
            guard box.end != nil || box.queue === queue else { return nil }
            var followers = box.extras?.followers ?? StateFollowers()
            let stream = followers.follow(from: box.end?.state ?? state)
            if box.end == nil { box.extend { $0.followers = followers } } else { followers.deliver(isLast: true) }
            return stream
        }
    }

    /// How far it is. Operations that share a flight share its progress.
    public var progress: OperationProgress {
        let (progress, leader, end) = box.withLock { box in
            let known = box.extras?.progress
            let progress = known ?? OperationProgress { [weak self] in self?.reported($0, of: $1) }
            box.extend { $0.progress = progress }
            return (progress, known == nil ? box.extras?.leader : nil, box.end)
        }
        if let leader { progress.continues(as: leader.progress) }
        if let end { progress.finish(isComplete: end.state == .succeeded) }
        return progress
    }

    /// Takes this wish back. Operations that depend on it are cancelled with it.
    public func cancel() {
        if let queue { return queue.withdraw(self) }
        let isEnded = box.withLock { box in
            guard box.end == nil, box.place.isNowhere else { return false }
            box.dropWork()
            box.close(.cancelled)
            box.extras?.followers?.note(.cancelled)
            return true
        }
        // It may have been submitted on another thread in the meantime.
        if isEnded { announce() } else { queue?.withdraw(self) }
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
    public func onEnd(_ observer: @escaping @Sendable (OperationState) -> Void) {
        onResult { observer(OperationState($0)) }
    }

    func onResult(_ observer: @escaping Observer) {
        let end = box.withLock { box in
            if box.end == nil { box.extend { $0.observers.append(observer) } }
            return box.end
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
    private func reported(_ completed: Int, of total: Int?) {
        let underway = box.withLock { box in
            if let queue = box.underway?.worker.queue { box.extras?.transfer?.note(completed, at: queue.stopwatch.elapsed()) }
            return box.underway
        }
        if let total, let underway { underway.worker.queue.noteRest(total - completed, of: total, in: underway.flight) }
    }
}
