import Timing

extension BackendQueue {
    /// Submits an operation and those of its dependencies that have not been submitted.
    ///
    /// An operation belongs to one queue, and so do its dependencies. Submitting it again changes its priority.
    /// - Parameters:
    ///   - consumer: The consumer that the operation runs for; lanes are shared fairly among consumers.
    ///   - noOlderThan: The operation and the dependencies submitted with it join no flight that began before this epoch; one of another queue has
    ///     no effect.
    ///   - deadline: The maximum time until completion, waiting included; after it the operation fails with `OperationError.deadlineExceeded`. Nil
    ///     for none. Of several submissions, the earliest deadline applies.
    public func submit<Value>(
        _ operation: BackendOperation<Value>, priority: OperationPriority = .visible, for consumer: OperationConsumer = .none,
        noOlderThan: QueueEpoch? = nil, deadline: Duration? = nil
    ) {
        submit(operation.erased, priority: priority, for: consumer, noOlderThan: noOlderThan, deadline: deadline)
    }

    /// Submits an operation and those of its dependencies that have not been submitted, as the function for `BackendOperation` does.
    public func submit(
        _ operation: AnyOperation, priority: OperationPriority = .visible, for consumer: OperationConsumer = .none,
        noOlderThan: QueueEpoch? = nil, deadline: Duration? = nil
    ) {
        let share = PriorityShare(priority: priority, consumer: consumer)
        let isPlain = operation.attributes == nil && deadline == nil
        change { state in
            switch operation.submissionState {
            case .new where state.isShutDown: state.fail(operation)
            case .new(let properties):
                let deadline = deadline.map { stopwatch.elapsed() + $0 }
                if isPlain, properties.isPlain { return state.enqueue(operation, with: share, in: self) }
                let options = SubmissionOptions(
                    demand: .requested(share), noOlderThan: noOlderThan?.flightEpoch(in: self), deadline: deadline)
                addWaiters(for: operation, properties, options, &state)
            case .submitted:
                guard let waiter = state.waiter(of: operation, in: self) else { return }
                state.handle(.prioritize(waiter, share))
                if let deadline { state.handle(.setDeadline(waiter, at: stopwatch.elapsed() + deadline)) }
            case .completed: break
            }
        }
    }

    /// Submits an operation and returns its value; cancelling the waiting task cancels the operation.
    ///
    /// - Parameter deadline: The maximum time until completion, waiting included; nil for none.
    /// - Throws: The error of the work; `OperationError` when it did not run or exceeded the deadline; `CancellationError`.
    public nonisolated(nonsending) func value<Value>(
        of operation: BackendOperation<Value>, priority: OperationPriority = .visible, for consumer: OperationConsumer = .none,
        noOlderThan: QueueEpoch? = nil, deadline: Duration? = nil
    ) async throws -> Value {
        submit(operation, priority: priority, for: consumer, noOlderThan: noOlderThan, deadline: deadline)
        return try await withTaskCancellationHandler {
            try await operation.value
        } onCancel: {
            operation.cancel()
        }
    }

    /// The options of a submission.
    struct SubmissionOptions {
        var demand: Demand
        /// The oldest flight that may be joined; nil for any.
        var noOlderThan: FlightEpoch?
        /// The time at which the waiter expires.
        var deadline: Duration?

        /// The options for dependencies.
        var forDependencies: SubmissionOptions { SubmissionOptions(demand: .inherited(demand.share), noOlderThan: noOlderThan) }
    }

    /// Adds waiters for an operation and its new dependencies, dependencies first.
    ///
    /// It does not recurse, because a chain of dependencies may be longer than the thread's stack allows.
    func addWaiters(for root: AnyOperation, _ properties: SubmissionState.Properties, _ options: SubmissionOptions, _ state: inout State) {
        var stack = TinyArray<AnyOperation>()
        addWaiter(for: root, properties, options, &state, orPushOnto: &stack)
        while let operation = stack.popLast() {
            guard case .new(let properties) = operation.submissionState else { continue }
            addWaiter(for: operation, properties, operation === root ? options : options.forDependencies, &state, orPushOnto: &stack)
        }
        state.applyDeferredChanges(in: self)
    }

    /// Adds a waiter for an operation, or pushes the operation and its new dependencies onto the stack.
    private func addWaiter(
        for operation: AnyOperation, _ properties: SubmissionState.Properties, _ options: SubmissionOptions, _ state: inout State,
        orPushOnto stack: inout TinyArray<AnyOperation>
    ) {
        let attributes = operation.attributes?.flight
        let flight = state.schedule.flight(joinableBy: attributes, noOlderThan: options.noOlderThan)
        if flight == nil, properties.dependencies.contains(where: \.isNew) {
            stack.append(operation)
            for dependency in properties.dependencies.reversed() where dependency.isNew { stack.append(dependency) }
            return
        }
        let request = FlightRequest(
            lane: flight.map { state.schedule.flights[$0].lane } ?? state.laneID(of: operation.lane), attributes: attributes,
            noOlderThan: options.noOlderThan,
            deadline: options.deadline, isPaused: properties.isPaused, isObserved: properties.isObserved)
        if let flight {
            state.handle(.join(flight, request, state.operations.insert(operation), options.demand), in: self)
        } else {
            begin(operation, request, options.demand, after: properties.dependencies, &state)
        }
    }

    /// Begins a flight after its dependencies, or completes the operation if one of them has failed.
    private func begin(
        _ operation: AnyOperation, _ request: FlightRequest, _ demand: Demand, after dependencies: TinyArray<AnyOperation>,
        _ state: inout State
    ) {
        var waiters = TinyArray<WaiterID>()
        var failure: OperationCompletion?
        for dependency in dependencies {
            if let completion = dependency.completion {
                if completion.status != .succeeded { failure = failure ?? completion }
            } else if let waiter = state.waiter(of: dependency, in: self) {
                waiters.append(waiter)
            }
        }
        guard let failure, request.attributes?.runsOnFailure != true else {
            return state.handle(.begin(request, state.operations.insert(operation), demand, after: waiters), in: self)
        }
        let status = failure.status == .cancelled ? CompletionStatus.cancelled : .dependencyFailed
        if operation.complete(status, failure, dropsWork: true, releasing: &state.pendingEffects.released) {
            state.pendingEffects.changed.append(operation)
        }
        for waiter in waiters { state.handle(.releaseIfUnused(waiter)) }
    }
}

extension BackendQueue.State {
    /// Enqueues an operation without attributes, deadline or dependencies.
    fileprivate mutating func enqueue(_ operation: AnyOperation, with share: PriorityShare, in queue: BackendQueue) {
        handle(.enqueue(operations.insert(operation, queuedWith: share), laneID(of: operation.lane), share), in: queue)
        applyDeferredChanges(in: queue)
    }

    /// Fails an operation that was submitted after shutdown.
    fileprivate mutating func fail(_ operation: AnyOperation) {
        let completion = OperationCompletion(error: OperationError.queueShutDown)
        guard operation.complete(.failed, completion, dropsWork: true, releasing: &pendingEffects.released) else { return }
        pendingEffects.changed.append(operation)
    }

    /// Returns the id of a lane, which is opened if necessary.
    fileprivate mutating func laneID(of lane: Lane) -> LaneID {
        if let id = schedule.laneID(of: lane) { return id }
        handle(.open(lane))
        guard let id = schedule.laneID(of: lane) else { preconditionFailure("the lane was not opened") }
        return id
    }
}
