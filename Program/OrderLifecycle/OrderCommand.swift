/// A command to an order, with its parameters.
package enum OrderCommand: Hashable, Sendable {
    case claim
    case release(Fence)
    /// - Parameter missing: The ids of items that the shop did not have.
    case pickUp(Fence, missing: [String])
    case arrive(Fence)
    case attempt(Fence, AttemptReason)
    case `return`(Fence)
    /// - Parameter proofs: The digests of the proofs; at least one.
    case deliver(Fence, proofs: [ProofDigest])
    case edit
    case cancel
    case reassign(to: PersonID)
    /// - Parameter holder: The courier who has the order afterwards; nil for its last holder. Unused if the state has no holder.
    case correct(to: OrderState, holder: PersonID?)
    /// Changes the order as a report says.
    case accept(OrderReport)
    case expire

    package var action: OrderAction {
        switch self {
        case .claim: .claim
        case .release: .release
        case .pickUp: .pickUp
        case .arrive: .arrive
        case .attempt: .attempt
        case .return: .return
        case .deliver: .deliver
        case .edit: .edit
        case .cancel: .cancel
        case .reassign: .reassign
        case .correct: .correct
        case .accept: .accept
        case .expire: .expire
        }
    }

    /// The fence of a courier's command; nil for a claim, and for commands of others.
    package var fence: Fence? {
        switch self {
        case .release(let fence), .pickUp(let fence, _), .arrive(let fence), .attempt(let fence, _), .return(let fence),
            .deliver(let fence, _):
            fence
        case .claim, .edit, .cancel, .reassign, .correct, .accept, .expire: nil
        }
    }
}

/// The reason of a delivery attempt without success.
package enum AttemptReason: String, CaseIterable, Codable, Hashable, Sendable {
    case recipientUnavailable, refused, wrongAddress, noAccess, damaged, other
}
