import AsyncHTTPClient
import Foundation
import LadingHTTP
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// The limits of an exchange, so that an error can name the one that struck.
struct ExchangeTimeouts {
    /// How long the head may take.
    var head: Duration
    /// How long the server may be silent.
    var read: Duration
    /// How long a connection may take to come about, or to be free.
    var connect: Duration
}

/// What an error of AsyncHTTPClient or SwiftNIO means to whoever asked.
///
/// - Parameter isBodyExpected: Whether the head of the reply had arrived.
func backendError(
    _ error: any Error, of message: RequestMessage, _ timeouts: ExchangeTimeouts, hasReceivedHead: Bool
) -> any Error {
    switch error as? HTTPClientError {
    case .cancelled: return CancellationError()
    case .deadlineExceeded: return BackendError.timedOut(message.url, after: timeouts.head)
    case .readTimeout, .writeTimeout: return BackendError.timedOut(message.url, after: timeouts.read)
    case .getConnectionFromPoolTimeout: return BackendError.timedOut(message.url, after: timeouts.connect)
    case .remoteConnectionClosed: return BackendError.interrupted(message.url, cause: error)
    default: break
    }
    switch error {
    case is CancellationError: return error
    case is AddressGuard.ForbiddenAddress: return BackendError.policyViolation(message.url, .privateAddress)
    case let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE:
        // There was a connection to break.
        return BackendError.interrupted(message.url, cause: error)
    case ChannelError.ioOnClosedChannel:
        // It was closed between its choice and the request.
        return BackendError.interrupted(message.url, cause: error)
    case HTTPParserError.invalidEOFState: return BackendError.interrupted(message.url, cause: error)
    case is HTTPParserError, is NIOHTTPDecompression.DecompressionError:
        return BackendError.malformedResponse(message.url, cause: error)
    default: break
    }
    guard hasReceivedHead else { return BackendError.unreachable(message.url, cause: error) }
    return error is IOError
        ? BackendError.interrupted(message.url, cause: error) : BackendError.malformedResponse(message.url, cause: error)
}
