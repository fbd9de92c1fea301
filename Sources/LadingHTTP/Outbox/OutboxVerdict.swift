import HTTPTypes

/// What a failure of a write means: whether the server will never take it, or may another time.
enum OutboxVerdict: Equatable {
    case refused
    /// - Parameters:
    ///   - isOfEntry: Whether the server has answered and had trouble with this write; otherwise the host would take no other either.
    ///   - wish: How long it asked to be left alone.
    case passing(isOfEntry: Bool, wish: Duration?)

    /// Statuses of 400–499 that may be another one next time: who asks is not known or too quick, or something else is under way.
    private static let passing: Set<Int> = [401, 407, 408, 409, 423, 425, 429]
    /// Statuses of a host that takes nothing at the moment.
    private static let ofHost: Set<Int> = [401, 407, 429, 502, 503, 504]

    init(_ error: any Error) {
        switch error {
        case BackendError.status(let status, _, _) where !Self.passing.contains(status) && status < 500: self = .refused
        case BackendError.status(let status, _, _):
            self = .passing(isOfEntry: !Self.ofHost.contains(status), wish: (error as? BackendError)?.wantedPause)
        case BackendError.refused: self = .refused
        case BackendError.circuitOpen(_, let pause): self = .passing(isOfEntry: false, wish: pause)
        case BackendError.bodyTooLarge, BackendError.tooManyRedirects, BackendError.undecodable:
            self = .passing(isOfEntry: true, wish: nil)
        default: self = .passing(isOfEntry: false, wish: nil)
        }
    }
}
