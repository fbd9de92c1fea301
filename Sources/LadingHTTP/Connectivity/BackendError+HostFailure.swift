import HTTPTypes
import LadingOperations

extension BackendError {
    /// Whether the server has not answered, as far as can be told: no connection, no end of the response, or not asked because of that.
    public var isHostUnresponsive: Bool {
        switch self {
        case .unreachable, .timedOut, .interrupted, .circuitOpen: true
        default: false
        }
    }
}

extension Error {
    /// The failure of a host at the root of an error: no answer, or a status of a server that does not work; nil for other errors.
    package var hostFailure: BackendError? {
        guard let error = OperationError.rootCause(of: self) as? BackendError else { return nil }
        if case .status(let status, _, _) = error { return HostOutcome(HTTPResponse.Status(code: status)) == .failed ? error : nil }
        return error.isHostUnresponsive ? error : nil
    }
}
