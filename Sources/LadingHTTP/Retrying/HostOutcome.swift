import HTTPTypes

/// The outcome of an exchange as to the health of its host.
enum HostOutcome: Hashable, Sendable {
    /// The host works.
    case succeeded
    /// The host does not work, or is overloaded.
    case failed
    /// The exchange does not indicate the state of the host: it was cancelled, or never sent.
    case neutral
}

extension HostOutcome {
    /// Creates the outcome of a status: a host that rejects a request (400–499) works, an overloaded one (429) does not.
    init(_ status: HTTPResponse.Status) {
        self = status == .tooManyRequests || status.kind == .serverError ? .failed : .succeeded
    }

    init(_ error: any Error) {
        switch error {
        case BackendError.unreachable, BackendError.timedOut, BackendError.interrupted, BackendError.malformedResponse: self = .failed
        case BackendError.bodyTooLarge, BackendError.bufferLimitExceeded: self = .succeeded
        default: self = .neutral
        }
    }
}
