import AsyncHTTPClient
import LadingHTTP
import NIOCore
import NIOHTTP1

/// What an error of AsyncHTTPClient or SwiftNIO means to whoever asked.
///
/// - Parameter isBodyExpected: Whether the head of the reply had arrived.
func backendError(
    _ error: any Error, of message: RequestMessage, _ timeLimit: Duration, isBodyExpected: Bool
) -> any Error {
    if error is CancellationError { return error }
    switch error as? HTTPClientError {
    case .cancelled: return CancellationError()
    case .deadlineExceeded, .readTimeout, .writeTimeout: return BackendError.timedOut(message.url, after: timeLimit)
    case .remoteConnectionClosed: return BackendError.interrupted(message.url, cause: error)
    default: break
    }
    if let error = error as? HTTPParserError {
        return error == .invalidEOFState
            ? BackendError.interrupted(message.url, cause: error)
            : BackendError.malformedReply(message.url, cause: error)
    }
    guard isBodyExpected else { return BackendError.unreachable(message.url, cause: error) }
    return error is IOError
        ? BackendError.interrupted(message.url, cause: error) : BackendError.malformedReply(message.url, cause: error)
}
