import HTTPTypes
import LadingOperations

extension BackendError {
    /// Whether the host did not respond: no connection, no complete response, or an open circuit.
    package var isHostUnresponsive: Bool {
        switch self {
        case .unreachable, .timedOut, .interrupted, .circuitOpen: true
        default: false
        }
    }
}

extension Error {
    /// The failure of a host that caused the error: no response, or a status of a failing server; nil for other errors.
    package var hostFailure: BackendError? {
        guard let error = OperationError.rootCause(of: self) as? BackendError else { return nil }
        if case .status(let status, _, _) = error { return HostOutcome(HTTPResponse.Status(code: status)) == .failed ? error : nil }
        return error.isHostUnresponsive ? error : nil
    }
}
