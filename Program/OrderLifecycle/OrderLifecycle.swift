/// The life of an order: its state, derived from its events, and the decisions on commands.
///
/// Commands that may change the order are answered with events, which `apply` adds; the caller stores both in one transaction. Time comes in as an
/// argument. `OrderTransition.all` lists the permitted changes; the documentation's table is checked against it.
///
/// ```swift
/// var order = OrderLifecycle()
/// if case .accepted(let events) = order.verdict(on: .claim, from: sender, at: now) {
///     for event in events { order.apply(event) }
/// }
/// ```
package struct OrderLifecycle: Hashable, Sendable {
    /// The sender of a command.
    package struct Sender: Hashable, Sendable {
        package let person: PersonID?
        package let role: Role
        /// The time of the action by the sender's clock, corrected by its estimated skew.
        package let actionTime: Timestamp

        package init(_ person: PersonID?, role: Role, actionTime: Timestamp) {
            self.person = person
            self.role = role
            self.actionTime = actionTime
        }
    }

    /// The number of times that a courier may have had an order and claim it again. Each claim adds events, which are kept for ever.
    package static let claimLimit = 100

    package let limits: LifecycleLimits
    /// Nil before the order is created.
    package private(set) var state: OrderState?
    package private(set) var fence = Fence.initial
    /// The courier who has the order; of a final state, the one who had it.
    package private(set) var holder: PersonID?
    /// The time since which the holder has the order.
    package private(set) var heldSince: Timestamp?
    /// The end of the lease of a claimed order.
    package private(set) var leaseEnd: Timestamp?
    /// The time from which an order with a holder needs attention.
    package private(set) var deadline: Timestamp?
    /// The number of attempts of delivery without success, over the whole life of the order.
    package private(set) var attempts = 0
    package private(set) var proofs: [ProofDigest] = []
    /// The courier who had the order under each fence.
    private(set) var holders: [Fence: PersonID] = [:]
    /// The first fence of the present epoch; lower ones may have been given to others in an epoch that was lost.
    package private(set) var fenceFloor = Fence.initial
    /// The number of the last event.
    package private(set) var eventCount = 0

    /// Creates an order without events.
    package init(limits: LifecycleLimits = LifecycleLimits()) { self.limits = limits }

    /// Derives an order from its events.
    ///
    /// - Parameter leaseEnd: The end of the lease after renewals, which are no events; nil if it was not renewed.
    package init(events: some Sequence<OrderEvent>, leaseEnd: Timestamp? = nil, limits: LifecycleLimits = LifecycleLimits()) {
        self.init(limits: limits)
        for event in events { apply(event) }
        if state == .claimed, let leaseEnd { self.leaseEnd = leaseEnd }
    }

    /// Whether the lease has ended.
    package func isLeaseExpired(at now: Timestamp) -> Bool {
        guard state == .claimed, let leaseEnd else { return false }
        return leaseEnd <= now
    }

    /// Renews the lease after a sign of life of its holder.
    ///
    /// - Returns: Whether the lease was renewed. A lease that has ended is not.
    package mutating func renewLease(of person: PersonID, at now: Timestamp) -> Bool {
        guard state == .claimed, holder == person, !isLeaseExpired(at: now) else { return false }
        leaseEnd = now + limits.lease
        return true
    }

    /// Begins an epoch, as after the restoration of a backup: lower fences are stale, and who had them is not known.
    ///
    /// - Parameter floor: A fence that is higher than all that were ever given to anybody.
    package mutating func beginEpoch(at floor: Fence) {
        fenceFloor = floor
        guard fence < floor else { return }
        fence = floor
        if let holder { holders[floor] = holder }
    }

    /// Adds an event. The caller has stored it, or is about to.
    package mutating func apply(_ event: OrderEvent) {
        if event.action.incrementsFence || holder == nil { heldSince = event.holder.map { _ in event.acceptanceTime } }
        deadline = nextDeadline(after: event)
        if event.action == .attempt || event.action == .accept && event.reason != nil { attempts += 1 }
        leaseEnd = event.state != .claimed ? nil : event.action == .edit ? leaseEnd : event.acceptanceTime + limits.lease
        // An expired claim is remembered for a late pick-up, which has its fence; an edit changes no holder.
        if event.action != .expire, event.action != .edit { holder = event.holder }
        if let holder { holders[event.fence] = holder }
        proofs += event.proofs
        (state, fence, eventCount) = (event.state, event.fence, event.number)
    }

    private func nextDeadline(after event: OrderEvent) -> Timestamp? {
        switch event.action {
        case .pickUp: event.acceptanceTime + limits.deadline
        case .accept where event.state == .pickedUp: event.acceptanceTime + limits.deadline
        // The deadline of an earlier pick-up no longer applies. An order that no courier has gets one with its next pick-up.
        case .correct: event.state.isWithCourier ? event.acceptanceTime + limits.deadline : nil
        default: deadline
        }
    }
}

/// The durations and counts of the life of an order.
package struct LifecycleLimits: Hashable, Sendable {
    /// The duration of a claim, renewed by signs of life of its holder.
    package var lease: Duration
    /// The time after a pick-up, or a correction to a state with goods, until the order needs attention.
    package var deadline: Duration
    /// The number of attempts after which the goods are returned.
    package var attempts: Int

    package init(lease: Duration = .seconds(30 * 60), deadline: Duration = .seconds(12 * 3600), attempts: Int = 3) {
        self.lease = lease
        self.deadline = deadline
        self.attempts = attempts
    }
}
