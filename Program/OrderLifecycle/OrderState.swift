/// The state of an order.
package enum OrderState: String, CaseIterable, Codable, Hashable, Sendable {
    case open, claimed, pickedUp, arrived, returning, returned, delivered, cancelled

    /// Whether only a dispatcher's correction changes the state.
    package var isFinal: Bool { self == .returned || self == .delivered || self == .cancelled }

    /// Whether a courier has the goods.
    package var isWithCourier: Bool { self == .pickedUp || self == .arrived || self == .returning }

    /// Whether an order in this state has a holder.
    package var hasHolder: Bool { self == .claimed || isWithCourier }
}
