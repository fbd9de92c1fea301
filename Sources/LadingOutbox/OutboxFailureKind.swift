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

    /// The statuses of a host that accepts no request at the moment.
    private static let hostStatuses: Set<Int> = [401, 407, 429, 502, 503, 504]

    /// - Parameter rejectionStatuses: The statuses that refuse a write permanently.
    init(_ error: any Error, rejectionStatuses: Set<Int>) {
        switch error {
        case BackendError.status(let status, _, _) where rejectionStatuses.contains(status): self = .permanent
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
