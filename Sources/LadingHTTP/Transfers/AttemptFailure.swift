import HTTPTypes

/// Why an attempt at a transfer failed, and what that means for the transfer.
struct AttemptFailure: Error {
    let error: any Error
    /// Whether another attempt may go better.
    var isTransient: Bool
    /// Whether what was moved so far is worth keeping.
    var retainsPartialData: Bool
    /// How long the server asked to be left alone.
    var retryAfter: Duration?

    /// A failure for good, which leaves nothing behind.
    static func permanent(_ error: any Error) -> AttemptFailure {
        AttemptFailure(error: error, isTransient: false, retainsPartialData: false)
    }

    /// A failure that ends the transfer until somebody has done something about it; then it goes on where it was.
    static func resumable(_ error: any Error) -> AttemptFailure {
        AttemptFailure(error: error, isTransient: false, retainsPartialData: true)
    }

    /// A failure after which another attempt is made.
    static func transient(_ error: any Error, retryAfter: Duration? = nil) -> AttemptFailure {
        AttemptFailure(error: error, isTransient: true, retainsPartialData: true, retryAfter: retryAfter)
    }

    /// What any error comes to that ended an attempt.
    init(_ error: any Error) {
        switch error {
        case let trouble as AttemptFailure: self = trouble
        case let failure as BearerTokenInterceptor.Failure: self = .tokenFailure(failure)
        case BackendError.unreachable, BackendError.timedOut, BackendError.interrupted, BackendError.malformedResponse, BackendError.overrun:
            self = .transient(error)
        case BackendError.status(let status, _, let headers) where RetryPolicy.transientStatuses.contains(status):
            self = .transient(error, retryAfter: headers.retryAfter(now: nil))
        case BackendError.circuitOpen(_, let pause): self = .transient(error, retryAfter: pause)
        case TransferError.targetExists, TransferError.diskFull, TransferError.unsupportedDigest: self = .resumable(error)
        case TransferError.partFileInUse: self = .transient(error)
        case is TransferError: self = .permanent(error)
        // What the file and the server have nothing to do with, a journal that cannot be written for one, costs no bytes.
        default: self = .resumable(error)
        }
    }

    /// A token that could not be had is judged by what kept it away; the server of the transfer has nothing to do with it.
    private static func tokenFailure(_ failure: BearerTokenInterceptor.Failure) -> AttemptFailure {
        let trouble = AttemptFailure(failure.cause)
        return trouble.isTransient ? .transient(failure, retryAfter: trouble.retryAfter) : .resumable(failure)
    }

    private init(error: any Error, isTransient: Bool, retainsPartialData: Bool, retryAfter: Duration? = nil) {
        self.error = error
        self.isTransient = isTransient
        self.retainsPartialData = retainsPartialData
        self.retryAfter = retryAfter
    }
}
