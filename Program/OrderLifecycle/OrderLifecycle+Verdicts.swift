extension OrderLifecycle {
    /// Returns the first event of an order.
    package func creation(by sender: Sender, at now: Timestamp) -> OrderVerdict {
        guard sender.role == .dispatcher else { return .refused(.wrongRole(required: .dispatcher)) }
        return .accepted([event(.create, .open, nil, by: sender, at: now)])
    }

    /// Decides a command.
    ///
    /// - Parameters:
    ///   - now: The time of the server, in the order of acceptance.
    ///   - isStored: Whether a proof of the sender for this order is stored durably.
    package func verdict(
        on command: OrderCommand, from sender: Sender, at now: Timestamp, isStored: (ProofDigest) -> Bool = { _ in false }
    ) -> OrderVerdict {
        guard let state else { return .refused(.wrongState(.cancelled)) }
        guard sender.role == command.action.role else { return .refused(.wrongRole(required: command.action.role)) }
        switch command {
        case .claim: return claim(by: sender, at: now)
        case .expire: return .accepted(isLeaseExpired(at: now) ? [event(.expire, .open, nil, by: sender, at: now)] : [])
        case .edit: return change(.edit, to: state, holder: state == .open ? nil : holder, by: sender, at: now)
        case .cancel: return change(.cancel, to: state.isWithCourier ? .returning : .cancelled, holder: holder, by: sender, at: now)
        case .reassign(let person): return reassign(to: person, by: sender, at: now)
        case .correct(let target, let person): return correct(to: target, holder: person, by: sender, at: now, isStored)
        case .accept(let report): return acceptReport(report, by: sender, at: now, isStored)
        case .release, .pickUp, .arrive, .attempt, .return, .deliver: return step(command, by: sender, at: now, isStored)
        }
    }
}

// MARK: - Couriers

extension OrderLifecycle {
    private func claim(by sender: Sender, at now: Timestamp) -> OrderVerdict {
        let isExpired = isLeaseExpired(at: now)
        // Each period in which somebody has the order has a fence.
        if isExpired || state == .open, holders.values.count(where: { $0 == sender.person }) >= Self.claimLimit {
            return .refused(.tooManyClaims)
        }
        if isExpired { return claimExpiredOrder(by: sender, at: now) }
        if state == .open { return .accepted([event(.claim, .claimed, sender.person, by: sender, at: now)]) }
        guard let state, state.hasHolder, let holder, let heldSince else { return .refused(.wrongState(state ?? .cancelled)) }
        if state == .claimed, holder == sender.person { return .accepted([]) }
        return .refused(holder == sender.person ? .wrongState(state) : .taken(by: holder, since: heldSince))
    }

    /// Decides the claim of an order whose lease has ended and has not been swept: it expires and is claimed in one step.
    private func claimExpiredOrder(by sender: Sender, at now: Timestamp) -> OrderVerdict {
        let expiry = event(.expire, .open, nil, by: Sender(nil, role: .server, actionTime: now), at: now)
        var expired = self
        expired.apply(expiry)
        return .accepted([expiry, expired.event(.claim, .claimed, sender.person, by: sender, at: now)])
    }

    /// Decides a command that carries the fence of a claim.
    private func step(_ command: OrderCommand, by sender: Sender, at now: Timestamp, _ isStored: (ProofDigest) -> Bool) -> OrderVerdict {
        guard let state, let person = sender.person, let sent = command.fence else { return .refused(.notHolder) }
        guard sent <= fence else { return .refused(.unknownFence) }
        guard holders[sent] == person || sent < fenceFloor else { return .refused(.notHolder) }
        if case .deliver(_, let proofs) = command, let rejection = rejection(of: proofs, isStored) { return .refused(rejection) }
        if let cause = reportCause(of: command.action, in: state, sent: sent) {
            return command.action.requiresReport
                ? .reported(report(command, cause, by: person, sender, at: now))
                : .refused(cause == .staleFence ? .staleFence(current: fence) : .wrongState(state))
        }
        if isRepeated(command.action, in: state) { return .accepted([]) }
        return change(
            command.action, to: target(of: command.action), holder: command.action == .release ? nil : person, by: sender, at: now
        ) {
            $0.setParameters(of: command)
        }
    }

    /// The cause for which an action is reported and changes nothing; nil if it may change the order.
    private func reportCause(of action: OrderAction, in state: OrderState, sent: Fence) -> OrderReport.Cause? {
        if sent < fence { return .staleFence }
        if state == .cancelled { return .cancelled }
        return state == .returning && action != .return ? .returning : nil
    }

    /// Whether the order is already in the state that an action leads to, as after the same step on another device.
    private func isRepeated(_ action: OrderAction, in state: OrderState) -> Bool {
        switch action {
        case .pickUp: state == .pickedUp
        case .arrive: state == .arrived
        case .deliver: state == .delivered
        case .return: state == .returned
        default: false
        }
    }

    private func target(of action: OrderAction) -> OrderState {
        switch action {
        case .pickUp: .pickedUp
        case .arrive: .arrived
        case .attempt: attempts + 1 < limits.attempts ? .pickedUp : .returning
        case .deliver: .delivered
        case .return: .returned
        default: .open
        }
    }

    private func rejection(of proofs: [ProofDigest], _ isStored: (ProofDigest) -> Bool) -> OrderRejection? {
        if proofs.isEmpty { return .proofRequired }
        return proofs.first { !isStored($0) }.map(OrderRejection.proofMissing)
    }

    private func report(
        _ command: OrderCommand, _ cause: OrderReport.Cause, by person: PersonID, _ sender: Sender, at now: Timestamp
    ) -> OrderReport {
        var report = OrderReport(
            action: command.action, actor: person, fence: command.fence ?? .initial, cause: cause,
            actionTime: min(sender.actionTime, now), acceptanceTime: now)
        switch command {
        case .pickUp(_, let missing): report.missingItems = missing
        case .attempt(_, let reason): report.reason = reason
        case .deliver(_, let proofs): report.proofs = proofs
        default: break
        }
        return report
    }
}

// MARK: - Dispatchers

extension OrderLifecycle {
    private func reassign(to person: PersonID, by sender: Sender, at now: Timestamp) -> OrderVerdict {
        let isHandover = state == .pickedUp || state == .arrived
        return change(.reassign, to: .claimed, holder: person, by: sender, at: now) { $0.isHandover = isHandover }
    }

    private func correct(
        to target: OrderState, holder person: PersonID?, by sender: Sender, at now: Timestamp, _ isStored: (ProofDigest) -> Bool
    ) -> OrderVerdict {
        if target == .delivered, let rejection = rejection(of: proofs, isStored) { return .refused(rejection) }
        let next = person ?? holder
        if target.hasHolder, next == nil { return .refused(.holderRequired) }
        return change(.correct, to: target, holder: target == .open ? nil : next, by: sender, at: now)
    }

    private func acceptReport(_ report: OrderReport, by sender: Sender, at now: Timestamp, _ isStored: (ProofDigest) -> Bool)
        -> OrderVerdict
    {
        if report.action == .deliver, let rejection = rejection(of: report.proofs, isStored) { return .refused(rejection) }
        return change(.accept, to: target(of: report.action), holder: report.actor, by: sender, at: now) {
            $0.missingItems = report.missingItems
            $0.reason = report.reason
            $0.proofs = report.proofs
        }
    }
}

// MARK: - Events

extension OrderLifecycle {
    /// Accepts an action if the transition is permitted.
    private func change(
        _ action: OrderAction, to target: OrderState, holder: PersonID?, by sender: Sender, at now: Timestamp,
        _ complete: (inout OrderEvent) -> Void = { _ in }
    ) -> OrderVerdict {
        guard OrderTransition.allows(action, from: state, to: target) else { return .refused(.wrongState(state ?? target)) }
        var event = event(action, target, holder, by: sender, at: now)
        complete(&event)
        return .accepted([event])
    }

    /// Makes an event. The time of the sender may come from a server whose clock is fast: no action is later than its acceptance.
    private func event(_ action: OrderAction, _ target: OrderState, _ holder: PersonID?, by sender: Sender, at now: Timestamp) -> OrderEvent
    {
        OrderEvent(
            number: eventCount + 1, action: action, state: target, fence: action.incrementsFence ? fence.next : fence, holder: holder,
            actor: sender.person, actionTime: min(sender.actionTime, now), acceptanceTime: now)
    }
}

extension OrderEvent {
    /// Adds the parameters of a courier's command.
    fileprivate mutating func setParameters(of command: OrderCommand) {
        switch command {
        case .pickUp(_, let missing): missingItems = missing
        case .attempt(_, let reason): self.reason = reason
        case .deliver(_, let proofs): self.proofs = proofs
        default: break
        }
    }
}
