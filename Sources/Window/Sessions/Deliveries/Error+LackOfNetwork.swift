import LadingHTTP
import LadingOperations

extension Error {
    /// Whether the server was not reached, as far as can be told; what it answered is another matter.
    var isLackOfNetwork: Bool {
        switch OperationError.rootCause(of: self) {
        case BackendError.unreachable, BackendError.timedOut, BackendError.interrupted, BackendError.circuitOpen: true
        default: false
        }
    }
}
