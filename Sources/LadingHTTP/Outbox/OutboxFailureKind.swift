import HTTPTypes

/// What a failure of a write means: whether the server will never take it, or may another time.
enum OutboxFailureKind: Equatable {
    case permanent
    /// - Parameters:
    ///   - isOfEntry: Whether the server has answered and had trouble with this write; otherwise the host would take no other either.
    ///   - wish: How long it asked to be left alone.
    case transient(isEntrySpecific: Bool, retryAfter: Duration?)

    /// Statuses of 400–499 that may be another one next time: who asks is not known or too quick, or something else is under way.
    private static let transientStatuses: Set<Int> = [401, 407, 408, 409, 423, 425, 429]
    /// Statuses of a host that takes nothing at the moment.
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
