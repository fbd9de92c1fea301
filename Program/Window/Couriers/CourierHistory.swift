import OrderLifecycle

/// The steps of a courier with one order, and those that became reports.
struct CourierHistory: Decodable, Hashable, Sendable {
    struct Event: Decodable, Hashable, Sendable {
        let action: String
        let actionTime: String
        let actor: String?
    }

    struct Report: Decodable, Hashable, Sendable {
        let action: String
        let actionTime: String
        let cause: String
        let settled: Bool
    }

    /// The courier who has the order now, and since when (RFC 3339).
    let holder: CourierOrder.Person?
    let heldSince: String?
    let events: [Event]
    let reports: [Report]
}
