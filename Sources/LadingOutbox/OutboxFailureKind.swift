import HTTPTypes
import LadingHTTP

/// The classification of a failed write: permanent, or worth another attempt.
enum OutboxFailureKind: Equatable {
    case permanent
    /// A failure after which the write is retried.
    ///
    /// - Parameters:
    ///   - isEntrySpecific: Whether the server answered and the failure concerns this write; otherwise the host would accept no other one either.
    ///   - retryAfter: The delay that the server requested.
    case transient(isEntrySpecific: Bool, retryAfter: Duration?)

    /// The transient statuses of 400–499: missing authentication, timeouts, conflicts and rate limits.
    private static let transientStatuses: Set<Int> = [401, 407, 408, 409, 423, 425, 429]
    /// The statuses of a host that accepts no request at the moment.
    private static let hostStatuses: Set<Int> = [401, 407, 429, 502, 503, 504]

    init(_ error: any Error) {
        switch error {
        case BackendError.status(let status, _, _) where !Self.transientStatuses.contains(status) && status < 500: self = .permanent
        case BackendError.status(let status, _, _):
            self = .transient(isEntrySpecific: !Self.hostStatuses.contains(status), retryAfter: (error as? BackendError)?.retryAfter)
        case BackendError.policyViolation: self = .permanent
        case BackendError.circuitOpen(_, let pause): self = .transient(isEntrySpecific: false, retryAfter: pause)
        case BackendError.bodyTooLarge, BackendError.tooManyRedirects, BackendError.decodingFailed:
            self = .transient(isEntrySpecific: true, retryAfter: nil)
        default: self = .transient(isEntrySpecific: false, retryAfter: nil)
        }
    }
}
