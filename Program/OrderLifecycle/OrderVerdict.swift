/// The outcome of a command.
package enum OrderVerdict: Hashable, Sendable {
    /// The order has changed; no events if it already was as requested.
    case accepted([OrderEvent])
    /// The order has not changed, and the action is stored as a report.
    case reported(OrderReport)
    case refused(OrderRejection)
}

/// The reason why a command was refused.
package enum OrderRejection: Codable, Hashable, Sendable {
    /// Another courier holds the order, since this time.
    case taken(by: PersonID, since: Timestamp)
    /// The state of the order does not permit the action.
    case wrongState(OrderState)
    /// Another period of the order has begun, with this fence.
    case staleFence(current: Fence)
    /// The fence is one that the order has never had.
    case unknownFence
    /// The sender does not hold the order.
    case notHolder
    /// A delivery needs at least one proof.
    case proofRequired
    /// A proof is not stored yet; the command may be repeated after its upload.
    case proofMissing(ProofDigest)
    /// The role of the sender does not permit the action.
    case wrongRole(required: Role)
    /// The state requires a holder, and none is known.
    case holderRequired
    /// The courier has had the order `OrderLifecycle.claimLimit` times.
    case tooManyClaims
    /// `OrderReport.limitPerPerson` reports of the person for the order are not settled.
    case tooManyReports

    /// Whether repeating the command cannot succeed.
    package var isFinal: Bool { if case .proofMissing = self { false } else { true } }
}
