/// A change of an order that has been accepted.
package struct OrderEvent: Codable, Hashable, Sendable {
    /// The place in the history of the order: 1, 2, 3, ….
    package let number: Int
    package let action: OrderAction
    /// The state after the event.
    package let state: OrderState
    /// The fence after the event.
    package let fence: Fence
    /// The holder after the event; nil if the state has none.
    package let holder: PersonID?
    /// The person who acted; nil for the server.
    package let actor: PersonID?
    /// The time of the action by the actor's clock, corrected by its estimated skew.
    package let actionTime: Timestamp
    package let acceptanceTime: Timestamp
    /// Whether the goods have passed to another holder, who must pick them up from the previous one.
    package var isHandover = false
    package var missingItems: [String] = []
    package var reason: AttemptReason?
    package var proofs: [ProofDigest] = []

    package init(
        number: Int, action: OrderAction, state: OrderState, fence: Fence, holder: PersonID?, actor: PersonID?, actionTime: Timestamp,
        acceptanceTime: Timestamp, isHandover: Bool = false, missingItems: [String] = [], reason: AttemptReason? = nil,
        proofs: [ProofDigest] = []
    ) {
        self.number = number
        self.action = action
        self.state = state
        self.fence = fence
        self.holder = holder
        self.actor = actor
        self.actionTime = actionTime
        self.acceptanceTime = acceptanceTime
        self.isHandover = isHandover
        self.missingItems = missingItems
        self.reason = reason
        self.proofs = proofs
    }
}

/// An action that has really happened but may not change its order, because somebody else holds it or a dispatcher has ended it.
package struct OrderReport: Codable, Hashable, Sendable {
    package enum Cause: String, Codable, Hashable, Sendable { case staleFence, cancelled, returning }

    /// The maximum number of reports of a person for one order that no dispatcher has settled.
    package static let limitPerPerson = 20

    package let action: OrderAction
    package let actor: PersonID
    /// The fence of the command.
    package let fence: Fence
    package let cause: Cause
    package let actionTime: Timestamp
    package let acceptanceTime: Timestamp
    package var missingItems: [String] = []
    package var reason: AttemptReason?
    package var proofs: [ProofDigest] = []

    package init(
        action: OrderAction, actor: PersonID, fence: Fence, cause: Cause, actionTime: Timestamp, acceptanceTime: Timestamp,
        missingItems: [String] = [], reason: AttemptReason? = nil, proofs: [ProofDigest] = []
    ) {
        self.action = action
        self.actor = actor
        self.fence = fence
        self.cause = cause
        self.actionTime = actionTime
        self.acceptanceTime = acceptanceTime
        self.missingItems = missingItems
        self.reason = reason
        self.proofs = proofs
    }

    /// Returns whether a report is of the same step of the same person, as after the same tap on two devices. Each attempt is another step.
    package func isRepetition(of other: OrderReport) -> Bool {
        action != .attempt && action == other.action && actor == other.actor && fence == other.fence
            && missingItems == other.missingItems && proofs == other.proofs
    }
}
