import HTTPTypes

/// Why an attempt at a transfer failed, and what that means for the transfer.
struct TransferTrouble: Error {
    let error: any Error
    /// Whether another attempt may go better.
    var isPassing: Bool
    /// Whether what was moved so far is worth keeping.
    var keepsBytes: Bool
    /// How long the server asked to be left alone.
    var wait: Duration?

    /// A failure for good, which leaves nothing behind.
    static func final(_ error: any Error) -> TransferTrouble {
        TransferTrouble(error: error, isPassing: false, keepsBytes: false)
    }

    /// A failure that ends the transfer until somebody has done something about it; then it goes on where it was.
    static func kept(_ error: any Error) -> TransferTrouble {
        TransferTrouble(error: error, isPassing: false, keepsBytes: true)
    }

    /// A failure after which another attempt is made.
    static func passing(_ error: any Error, wait: Duration? = nil) -> TransferTrouble {
        TransferTrouble(error: error, isPassing: true, keepsBytes: true, wait: wait)
    }

    /// What any error comes to that ended an attempt.
    init(_ error: any Error) {
        switch error {
        case let trouble as TransferTrouble: self = trouble
        case let failure as BearerTokenInterceptor.Failure: self = .signingIn(failure)
        case BackendError.unreachable, BackendError.timedOut, BackendError.interrupted, BackendError.malformedReply, BackendError.overrun:
            self = .passing(error)
        case BackendError.status(let status, _, let headers) where RetryPolicy.passing.contains(status):
            self = .passing(error, wait: headers.retryAfter(now: nil))
        case BackendError.circuitOpen(_, let pause): self = .passing(error, wait: pause)
        case TransferError.targetExists, TransferError.diskFull, TransferError.unknownDigest: self = .kept(error)
        case TransferError.partFileInUse: self = .passing(error)
        case is TransferError: self = .final(error)
        // What the file and the server have nothing to do with, a journal that cannot be written for one, costs no bytes.
        default: self = .kept(error)
        }
    }

    /// A token that could not be had is judged by what kept it away; the server of the transfer has nothing to do with it.
    private static func signingIn(_ failure: BearerTokenInterceptor.Failure) -> TransferTrouble {
        let trouble = TransferTrouble(failure.cause)
        return trouble.isPassing ? .passing(failure, wait: trouble.wait) : .kept(failure)
    }

    private init(error: any Error, isPassing: Bool, keepsBytes: Bool, wait: Duration? = nil) {
        self.error = error
        self.isPassing = isPassing
        self.keepsBytes = keepsBytes
        self.wait = wait
    }
}
