extension BackendQueue {
    /// Submits an operation, and whatever it depends on that is not submitted yet.
    ///
    /// An operation belongs to one queue. Submitting it again changes its priority.
    /// - Parameters:
    ///   - viewer: For whom it runs; lanes are shared fairly among viewers.
    ///   - notBefore: Neither the operation nor what is submitted with it joins a flight that began before this moment.
    ///   - deadline: How long from now it may take, waiting included; after that it fails with `OperationError.deadlineExceeded`.
    public func submit<Value>(
        _ operation: BackendOperation<Value>, priority: OperationPriority, for consumer: OperationConsumer = .none,
        noOlderThan: QueueEpoch? = nil, deadline: Duration? = nil
    ) {
        submit(operation.erased, priority: priority, for: consumer, noOlderThan: noOlderThan, deadline: deadline)
    }

    /// Submits an operation, and whatever it depends on that is not submitted yet.
    public func submit(
        _ operation: AnyOperation, priority: OperationPriority, for consumer: OperationConsumer = .none,
        noOlderThan: QueueEpoch? = nil, deadline: Duration? = nil
    ) {
        let share = PriorityShare(priority: priority, consumer: consumer)
        let isPlain = operation.attributes == nil && deadline == nil
        if isPlain, inbox.append(.init(operation: operation, share: share, time: time), for: self) { return }
        change { state in
            switch operation.submissionState {
            case .new where state.isShutDown: state.reject(operation)
            case .new(let unsubmitted):
                let deadline = deadline.map { stopwatch.elapsed() + $0 }
                if isPlain, unsubmitted.isPlain { return state.enqueue(operation, with: share, in: self) }
                addWaiters(for: operation, unsubmitted, SubmissionOptions(demand: .requested(share), noOlderThan: noOlderThan, deadline: deadline), &state)
            case .submitted:
                precondition(operation.queue === self, "an operation belongs to one queue")
                if let waiter = state.waiter(of: operation) { state.handle(.prioritize(waiter, share)) }
            case .completed: break
            }
        }
    }

    /// Submits an operation and waits for its value; the operation is cancelled when the waiting task is.
    public nonisolated(nonsending) func value<Value>(
        of operation: BackendOperation<Value>, priority: OperationPriority, for consumer: OperationConsumer = .none,
        noOlderThan: QueueEpoch? = nil, deadline: Duration? = nil
    ) async throws -> Value {
        submit(operation, priority: priority, for: consumer, noOlderThan: noOlderThan, deadline: deadline)
        return try await withTaskCancellationHandler {
            try await operation.value
        } onCancel: {
            operation.cancel()
        }
    }

    /// On what terms an operation comes in.
    struct SubmissionOptions {
        var demand: Demand
        /// The oldest flight that may be joined; nil when any may.
        var noOlderThan: QueueEpoch?
        /// When the wish for it expires.
        var deadline: Duration?

        /// Those of what it depends on.
        var forDependencies: SubmissionOptions { SubmissionOptions(demand: .inherited(demand.share), noOlderThan: noOlderThan) }
    }

    /// Makes wishes of an operation and of what it waits for, dependencies first, without a deep stack.
    func addWaiters(for root: AnyOperation, _ unsubmitted: SubmissionState.Unsubmitted, _ options: SubmissionOptions, _ state: inout State) {
        var stack = TinyArray<AnyOperation>()
        addWaiter(for: root, unsubmitted, options, &state, orPushOnto: &stack)
        while let operation = stack.popLast() {
            guard case .new(let unsubmitted) = operation.submissionState else { continue }
            addWaiter(for: operation, unsubmitted, operation === root ? options : options.forDependencies, &state, orPushOnto: &stack)
        }
        state.applyDeferredChanges()
    }

    /// Makes a wish of an operation, or puts it in a stack below what has to become wishes before.
    private func addWaiter(
        for operation: AnyOperation, _ unsubmitted: SubmissionState.Unsubmitted, _ options: SubmissionOptions, _ state: inout State,
        orPushOnto stack: inout TinyArray<AnyOperation>
    ) {
        let attributes = operation.attributes?.flight
        let flight = state.schedule.flight(joinableBy: attributes, noOlderThan: options.noOlderThan)
        if flight == nil, unsubmitted.dependencies.contains(where: \.isNew) {
            stack.append(operation)
            for dependency in unsubmitted.dependencies.reversed() where dependency.isNew { stack.append(dependency) }
            return
        }
        let request = FlightRequest(
            lane: flight.map { state.schedule.flights[$0].lane } ?? state.laneID(of: operation.lane), attributes: attributes,
            noOlderThan: options.noOlderThan,
            deadline: options.deadline, isPaused: unsubmitted.isPaused, isObserved: unsubmitted.isObserved)
        if let flight {
            state.handle(.join(flight, request, state.operations.insert(operation), options.demand), in: self)
        } else {
            begin(operation, request, options.demand, after: unsubmitted.dependencies, &state)
        }
    }

    private func begin(
        _ operation: AnyOperation, _ request: FlightRequest, _ demand: Demand, after dependencies: TinyArray<AnyOperation>,
        _ state: inout State
    ) {
        var waiters = TinyArray<WaiterID>()
        var failure: OperationCompletion?
        for dependency in dependencies {
            if let completion = dependency.completion {
                if completion.status != .succeeded { failure = failure ?? completion }
            } else if let waiter = state.waiter(of: dependency) {
                waiters.append(waiter)
            }
        }
        guard let failure, request.attributes?.runsOnFailure != true else {
            return state.handle(.begin(request, state.operations.insert(operation), demand, after: waiters), in: self)
        }
        if operation.complete(failure.status == .cancelled ? .cancelled : .dependencyFailed, failure, dropsWork: true) {
            state.pendingEffects.changed.append(operation)
        }
        for waiter in waiters { state.handle(.releaseIfUnused(waiter)) }
    }
}

extension BackendQueue.State {
    /// Puts a plain operation in line.
    fileprivate mutating func enqueue(_ operation: AnyOperation, with share: PriorityShare, in queue: BackendQueue?) {
        handle(.enqueue(operations.insert(operation, queuedWith: share), laneID(of: operation.lane), share), in: queue)
        applyDeferredChanges()
    }

    /// Ends an operation that came after the queue had been shut down.
    fileprivate mutating func reject(_ operation: AnyOperation) {
        guard operation.complete(.failed, OperationCompletion(error: OperationError.queueShutDown), dropsWork: true) else { return }
        pendingEffects.changed.append(operation)
    }

    // MARK: The inbox

    /// Takes in what has been left in the inbox.
    mutating func drainInbox() {
        guard inboxLane != nil else { return }
        inbox.drain(into: &submissions)
        enqueueSubmissions()
    }

    /// Lets operations be left for the lane that was asked for last, while it has no slot to spare.
    ///
    /// Somebody who is to be told of each decision at once is not kept waiting for the next visit: then nothing is left.
    mutating func updateInbox() {
        while case let full = isShutDown || log.listener != nil ? nil : schedule.latestFullLane, full?.id != inboxLane {
            inboxLane = full?.id
            inbox.open(for: full?.lane, drainingInto: &submissions)
            enqueueSubmissions()
        }
    }

    /// Puts in line what was found in the inbox.
    private mutating func enqueueSubmissions() {
        var drained: [SubmissionInbox.Submission] = []
        swap(&drained, &submissions)
        for submission in drained {
            time = max(time, submission.time)
            if isShutDown { reject(submission.operation) } else { enqueue(submission.operation, with: submission.share, in: nil) }
        }
        drained.removeAll(keepingCapacity: drained.count <= SubmissionInbox.retainedCapacity)
        swap(&drained, &submissions)
    }

    /// Where a lane is, which is opened if it is not known.
    fileprivate mutating func laneID(of lane: Lane) -> LaneID {
        if let id = schedule.laneID(of: lane) { return id }
        handle(.open(lane))
        guard let id = schedule.laneID(of: lane) else { preconditionFailure("a lane that was opened is known") }
        return id
    }
}
