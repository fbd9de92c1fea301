import HTTPTypes
import LadingHTTP
import OrderLifecycle

/// The state of the webhook as the API describes it.
struct WebhookState: Decodable, Hashable, Sendable {
    struct Failure: Decodable, Hashable, Sendable {
        /// The reason in English.
        let reason: String
        /// The kind of the failure, and the status of an answer; nil from an earlier version of the API.
        let cause: String?
        let status: Int?
        /// The time of the first of the failures in a row (RFC 3339).
        let since: String
    }

    /// An event that is not sent any more.
    struct AbandonedEvent: Decodable, Hashable, Sendable {
        let time: String
        /// The order whose change it was; nil for another event.
        let order: Int?
    }

    /// The age from which a waiting event is shown, in milliseconds: a younger one is about to be sent.
    private static let waitingAge: Int64 = 10_000
    /// The age up to which an abandoned event is shown, in milliseconds: a week.
    private static let abandonedAge: Int64 = 7 * 86_400_000

    /// The number of waiting events.
    let pending: Int
    /// The time of the oldest of them (RFC 3339).
    let pendingSince: String?
    let failure: Failure?
    let lastSuccess: String?
    let abandoned: [AbandonedEvent]

    /// Whether events wait because of a failure, or for longer than one takes to be sent.
    func isWaiting(at now: Timestamp) -> Bool {
        guard pending > 0 else { return false }
        guard failure == nil, let since = pendingSince.flatMap(Timestamp.init(text:)) else { return true }
        return now.milliseconds - since.milliseconds >= Self.waitingAge
    }

    /// The events that were abandoned lately.
    func recentlyAbandoned(at now: Timestamp) -> [AbandonedEvent] {
        abandoned.filter { event in
            Timestamp(text: event.time).map { now.milliseconds - $0.milliseconds <= Self.abandonedAge } ?? true
        }
    }
}

extension DispatchService {
    /// Returns the state of the webhook; nil if the server has none.
    func webhook() async throws -> WebhookState? {
        let response = try await orders.api.send(.get, "webhook", token: orders.token)
        guard response.status != .notFound else { return nil }
        return try orders.api.decode(response)
    }
}
