import HTTPTypes
import LadingHTTP

/// A failed attempt at a transfer, with its consequences for the transfer.
package struct AttemptFailure: Error {
    package let error: any Error
    /// Whether another attempt may succeed.
    package var isTransient: Bool
    /// Whether the data transferred so far is retained.
    var retainsPartialData: Bool
    /// The delay that the server requested.
    package var retryAfter: Duration?

    /// Returns a permanent failure, which discards the data.
    static func permanent(_ error: any Error) -> AttemptFailure {
        AttemptFailure(error: error, isTransient: false, retainsPartialData: false)
    }

    /// Returns a failure that ends the transfer until it is resumed, and retains the data.
    static func resumable(_ error: any Error) -> AttemptFailure {
        AttemptFailure(error: error, isTransient: false, retainsPartialData: true)
    }

    /// Returns a failure that is retried.
    package static func transient(_ error: any Error, retryAfter: Duration? = nil) -> AttemptFailure {
        AttemptFailure(error: error, isTransient: true, retainsPartialData: true, retryAfter: retryAfter)
    }

    /// Creates the failure of an attempt that ended with any error.
    package init(_ error: any Error) {
        switch error {
        case let failure as AttemptFailure: self = failure
        case let failure as BearerTokenInterceptor.Failure: self = .tokenFailure(failure)
        case BackendError.unreachable, BackendError.timedOut, BackendError.interrupted, BackendError.malformedResponse,
            BackendError.bufferLimitExceeded:
            self = .transient(error)
        case BackendError.status(let status, _, let response) where RetryPolicy.transientStatuses.contains(status):
            self = .transient(error, retryAfter: response.headers.retryAfter(now: nil))
        case BackendError.circuitOpen(_, let pause): self = .transient(error, retryAfter: pause)
        case TransferError.targetExists, TransferError.targetNotWritable, TransferError.diskFull, TransferError.unsupportedDigest:
            self = .resumable(error)
        case TransferError.partFileInUse: self = .transient(error)
        case is TransferError: self = .permanent(error)
        // Errors unrelated to the file and the server, such as a failed write to the journal, retain the data.
        default: self = .resumable(error)
        }
    }

    /// Classifies a token failure by its cause; the server of the transfer is not involved.
    private static func tokenFailure(_ failure: BearerTokenInterceptor.Failure) -> AttemptFailure {
        let cause = AttemptFailure(failure.cause)
        return cause.isTransient ? .transient(failure, retryAfter: cause.retryAfter) : .resumable(failure)
    }

    private init(error: any Error, isTransient: Bool, retainsPartialData: Bool, retryAfter: Duration? = nil) {
        self.error = error
        self.isTransient = isTransient
        self.retainsPartialData = retainsPartialData
        self.retryAfter = retryAfter
    }
}
