import LadingHTTP
import LadingOperations

extension Error {
    /// Whether the server was not reached, as far as can be told; what it answered is another matter.
    var isLackOfNetwork: Bool { (OperationError.rootCause(of: self) as? BackendError)?.isUnanswered ?? false }

    /// Whether it failed because a host did not answer.
    func isUnanswered(by host: String) -> Bool {
        guard let error = OperationError.rootCause(of: self) as? BackendError else { return false }
        return error.isUnanswered && error.url.authority == host
    }
}
