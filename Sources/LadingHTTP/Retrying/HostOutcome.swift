import HTTPTypes

/// What the end of an exchange says about the host.
enum HostOutcome: Hashable, Sendable {
    /// It works.
    case succeeded
    /// It does not work, or has too much to do.
    case failed
    /// Nothing: whoever asked left, or the request was never sent.
    case inconclusive
}

extension HostOutcome {
    /// A host that refuses a request (400–499) works; one that is asked too much (429) does not.
    init(_ status: HTTPResponse.Status) {
        self = status == .tooManyRequests || status.kind == .serverError ? .failed : .succeeded
    }

    init(_ error: any Error) {
        switch error {
        case BackendError.unreachable, BackendError.timedOut, BackendError.interrupted, BackendError.malformedResponse: self = .failed
        case BackendError.bodyTooLarge, BackendError.overrun: self = .succeeded
        default: self = .inconclusive
        }
    }
}
