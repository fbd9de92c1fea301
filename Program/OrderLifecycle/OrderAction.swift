/// A change of an order, without its parameters.
package enum OrderAction: String, CaseIterable, Codable, Hashable, Sendable {
    case create, edit, claim, release, expire, pickUp, arrive, attempt, `return`, deliver, cancel, reassign, correct, accept

    /// The role that performs the action.
    package var role: Role {
        switch self {
        case .claim, .release, .pickUp, .arrive, .attempt, .return, .deliver: .courier
        case .create, .edit, .cancel, .reassign, .correct, .accept: .dispatcher
        case .expire: .server
        }
    }

    /// Whether the action increments the fence of its order.
    package var incrementsFence: Bool {
        switch self {
        case .claim, .release, .reassign, .correct, .accept: true
        case .create, .edit, .expire, .pickUp, .arrive, .attempt, .return, .deliver, .cancel: false
        }
    }

    /// Whether the action of a courier is stored as a report where it may not change the order, because it has really happened.
    package var requiresReport: Bool { self == .pickUp || self == .attempt || self == .return || self == .deliver }
}

/// The part that somebody has in the life of an order.
package enum Role: String, Codable, Hashable, Sendable { case courier, dispatcher, server }

/// A permitted change from one state to another.
package struct OrderTransition: Hashable, Sendable {
    package let action: OrderAction
    /// The state before; nil for an order that does not exist yet.
    package let from: OrderState?
    package let to: OrderState

    /// All permitted changes, in the order of the life of an order.
    ///
    /// A late pick-up follows the expiry of a lease, before another claim, and carries the fence of the expired claim. An attempt leaves
    /// the order picked up, and the last one makes it returning. A returning order is corrected like a final one, because its courier may be gone.
    package static let all: [OrderTransition] = [
        row(.create, from: [nil], to: [.open]),
        row(.claim, from: [.open], to: [.claimed]),
        row(.release, from: [.claimed], to: [.open]),
        row(.expire, from: [.claimed], to: [.open]),
        row(.pickUp, from: [.claimed, .open], to: [.pickedUp]),
        row(.arrive, from: [.pickedUp], to: [.arrived]),
        row(.attempt, from: [.pickedUp, .arrived], to: [.pickedUp, .returning]),
        row(.deliver, from: [.arrived], to: [.delivered]),
        row(.return, from: [.returning], to: [.returned]),
        row(.cancel, from: [.open, .claimed], to: [.cancelled]),
        row(.cancel, from: [.pickedUp, .arrived], to: [.returning]),
        row(.reassign, from: [.claimed, .pickedUp, .arrived], to: [.claimed]),
        row(.correct, from: OrderState.allCases.filter { $0.isFinal || $0 == .returning }, to: OrderState.allCases),
        row(.accept, from: OrderState.allCases, to: [.pickedUp, .returning, .returned, .delivered]),
        OrderState.allCases.filter { !$0.isFinal }.map { OrderTransition(action: .edit, from: $0, to: $0) },
    ].flatMap(\.self)

    private static let permitted = Set(all)

    /// Whether an action may change an order from one state to another.
    package static func allows(_ action: OrderAction, from: OrderState?, to: OrderState) -> Bool {
        permitted.contains(OrderTransition(action: action, from: from, to: to))
    }

    private static func row(_ action: OrderAction, from: [OrderState?], to: [OrderState]) -> [OrderTransition] {
        from.flatMap { from in to.map { OrderTransition(action: action, from: from, to: $0) } }
    }
}
