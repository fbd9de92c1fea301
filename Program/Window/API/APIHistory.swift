import OrderLifecycle

/// The events of an order, and the steps that became reports: all for a dispatcher, for a courier the own ones.
struct APIHistory: Decodable, Hashable, Sendable {
    struct Event: Decodable, Hashable, Sendable {
        let action: String
        let actionTime: String
        let actor: String?
        var number: Int?
        var holder: String?
        var reason: String?
        var missingItems: [String]?
        var proofs: [String]?
    }

    struct Report: Decodable, Hashable, Sendable {
        let action: String
        let actionTime: String
        let cause: String
        let settled: Bool
        var number: Int?
        var actor: String?
        var reason: String?
        var missingItems: [String]?
        var proofs: [String]?
    }

    struct Proof: Decodable, Hashable, Sendable {
        let digest: String
        let person: String
        let kind: String
        let mediaType: String
        let deleted: Bool
    }

    /// The courier who has the order now, and since when (RFC 3339).
    let holder: APIOrder.Person?
    let heldSince: String?
    /// The number of earlier events, which are not in `events`; nil from a server of an earlier release, which omits none.
    var omittedEvents: Int?
    let events: [Event]
    /// The number of earlier reports, which are not in `reports`; nil from a server of an earlier release, which omits none.
    var omittedReports: Int?
    let reports: [Report]
    var proofs: [Proof]?
}
