extension BackendQueue {
    /// Submits an operation, and whatever it depends on that is not submitted yet.
    ///
    /// An operation belongs to one queue. Submitting it again changes its priority.
    /// - Parameters:
    ///   - viewer: For whom it runs; lanes are shared fairly among viewers.
    ///   - notBefore: Neither the operation nor what is submitted with it joins a flight that began before this moment.
    ///   - deadline: How long from now it may take, waiting included; after that it fails with `OperationError.deadlineExceeded`.
    public func submit<Value>(
        _ operation: BackendOperation<Value>, priority: OperationPriority, for viewer: OperationViewer = .nobody,
        notBefore: OperationMark? = nil, deadline: Duration? = nil
    ) {
        submit(operation.erased, priority: priority, for: viewer, notBefore: notBefore, deadline: deadline)
    }

    /// Submits an operation, and whatever it depends on that is not submitted yet.
    public func submit(
        _ operation: AnyOperation, priority: OperationPriority, for viewer: OperationViewer = .nobody,
        notBefore: OperationMark? = nil, deadline: Duration? = nil
    ) {
        let claim = Claim(priority: priority, viewer: viewer)
        let isPlain = operation.traits == nil && deadline == nil
        if isPlain, inbox.leave(.init(operation: operation, claim: claim, time: time), for: self) { return }
        change { state in
            switch operation.standing {
            case .new where state.isShutDown: state.refuse(operation)
            case .new(let newcomer):
                let deadline = deadline.map { stopwatch.elapsed() + $0 }
                if isPlain, newcomer.isPlain { return state.stand(operation, as: claim, in: self) }
                enlist(operation, newcomer, Terms(demand: .asked(claim), notBefore: notBefore, deadline: deadline), &state)
            case .submitted:
                precondition(operation.queue === self, "an operation belongs to one queue")
                if let wish = state.wish(of: operation) { state.handle(.ask(wish, claim)) }
            case .ended: break
            }
        }
    }

    /// Submits an operation and waits for its value; the operation is cancelled when the waiting task is.
    public nonisolated(nonsending) func value<Value>(
        of operation: BackendOperation<Value>, priority: OperationPriority, for viewer: OperationViewer = .nobody,
        notBefore: OperationMark? = nil, deadline: Duration? = nil
    ) async throws -> Value {
        submit(operation, priority: priority, for: viewer, notBefore: notBefore, deadline: deadline)
        return try await withTaskCancellationHandler {
            try await operation.value
        } onCancel: {
            operation.cancel()
        }
    }

    /// On what terms an operation comes in.
    struct Terms {
        var demand: Demand
        /// The oldest flight that may be joined; nil when any may.
        var notBefore: OperationMark?
        /// When the wish for it expires.
        var deadline: Duration?

        /// Those of what it depends on.
        var ofDependencies: Terms { Terms(demand: .expected(demand.claim), notBefore: notBefore) }
    }

    /// Makes wishes of an operation and of what it waits for, dependencies first, without a deep stack.
    func enlist(_ root: AnyOperation, _ newcomer: OperationStanding.Newcomer, _ terms: Terms, _ state: inout State) {
        var waiting = ShortList<AnyOperation>()
        enlist(root, newcomer, terms, &state, orPutIn: &waiting)
        while let operation = waiting.popLast() {
            guard case .new(let newcomer) = operation.standing else { continue }
            enlist(operation, newcomer, operation === root ? terms : terms.ofDependencies, &state, orPutIn: &waiting)
        }
        state.reviewChangedMeanwhile()
    }

    /// Makes a wish of an operation, or puts it in a stack below what has to become wishes before.
    private func enlist(
        _ operation: AnyOperation, _ newcomer: OperationStanding.Newcomer, _ terms: Terms, _ state: inout State,
        orPutIn waiting: inout ShortList<AnyOperation>
    ) {
        let traits = operation.traits?.flight
        let flight = state.schedule.flight(joinableBy: traits, notBefore: terms.notBefore)
        if flight == nil, newcomer.dependencies.contains(where: \.isNew) {
            waiting.append(operation)
            for dependency in newcomer.dependencies.reversed() where dependency.isNew { waiting.append(dependency) }
            return
        }
        let submission = Submission(
            lane: flight.map { state.schedule.flights[$0].lane } ?? state.laneID(of: operation.lane), traits: traits,
            notBefore: terms.notBefore,
            deadline: terms.deadline, isPaused: newcomer.isPaused, isWatched: newcomer.isWatched)
        if let flight {
            state.handle(.join(flight, submission, state.roster.enter(operation), terms.demand), in: self)
        } else {
            begin(operation, submission, terms.demand, after: newcomer.dependencies, &state)
        }
    }

    private func begin(
        _ operation: AnyOperation, _ submission: Submission, _ demand: Demand, after dependencies: ShortList<AnyOperation>,
        _ state: inout State
    ) {
        var wishes = ShortList<WishID>()
        var failure: OperationEnd?
        for dependency in dependencies {
            if let end = dependency.end {
                if end.settlement != .succeeded { failure = failure ?? end }
            } else if let wish = state.wish(of: dependency) {
                wishes.append(wish)
            }
        }
        guard let failure, submission.traits?.runsAnyway != true else {
            return state.handle(.begin(submission, state.roster.enter(operation), demand, after: wishes), in: self)
        }
        if operation.settle(failure.settlement == .cancelled ? .cancelled : .dependencyFailed, failure, isOver: true) {
            state.todo.changed.append(operation)
        }
        for wish in wishes { state.handle(.letGo(wish)) }
    }
}

extension BackendQueue.State {
    /// Puts a plain operation in line.
    fileprivate mutating func stand(_ operation: AnyOperation, as claim: Claim, in queue: BackendQueue?) {
        handle(.stand(roster.enter(operation, standingFor: claim), laneID(of: operation.lane), claim), in: queue)
        reviewChangedMeanwhile()
    }

    /// Ends an operation that came after the queue had been shut down.
    fileprivate mutating func refuse(_ operation: AnyOperation) {
        guard operation.settle(.failed, OperationEnd(error: OperationError.queueShutDown), isOver: true) else { return }
        todo.changed.append(operation)
    }

    // MARK: The inbox

    /// Takes in what has been left in the inbox.
    mutating func takeIn() {
        guard inboxLane != nil else { return }
        inbox.take(&letters)
        open()
    }

    /// Lets operations be left for the lane that was asked for last, while it has no slot to spare.
    ///
    /// Somebody who is to be told of each decision at once is not kept waiting for the next visit: then nothing is left.
    mutating func reviewInbox() {
        while case let full = isShutDown || log.listener != nil ? nil : schedule.latestFullLane, full?.id != inboxLane {
            inboxLane = full?.id
            inbox.open(for: full?.lane, taking: &letters)
            open()
        }
    }

    /// Puts in line what was found in the inbox.
    private mutating func open() {
        var opened: [SubmissionInbox.Letter] = []
        swap(&opened, &letters)
        for letter in opened {
            time = max(time, letter.time)
            if isShutDown { refuse(letter.operation) } else { stand(letter.operation, as: letter.claim, in: nil) }
        }
        opened.removeAll(keepingCapacity: opened.count <= SubmissionInbox.keptLetters)
        swap(&opened, &letters)
    }

    /// Where a lane is, which is opened if it is not known.
    fileprivate mutating func laneID(of lane: Lane) -> LaneID {
        if let id = schedule.laneID(of: lane) { return id }
        handle(.open(lane))
        guard let id = schedule.laneID(of: lane) else { preconditionFailure("a lane that was opened is known") }
        return id
    }
}
