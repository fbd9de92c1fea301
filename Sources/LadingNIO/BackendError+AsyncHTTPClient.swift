#if NIO
    import AsyncHTTPClient
    import Foundation
    import LadingHTTP
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import NIOSSL

    /// The time limits of an exchange, for the errors that report them.
    struct ExchangeTimeouts {
        /// The time limit of the response head.
        var head: Duration
        /// The maximum silence of the server.
        var read: Duration
        /// The time limit for establishing a connection or for one to become free.
        var connect: Duration
    }

    /// Maps an error of AsyncHTTPClient or SwiftNIO to an error of the exchange.
    ///
    /// - Parameter hasReceivedHead: Whether the response head had arrived.
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
            // The connection was established before.
            return BackendError.interrupted(message.url, cause: error)
        case ChannelError.ioOnClosedChannel:
            // The connection was closed between its selection and the request.
            return BackendError.interrupted(message.url, cause: error)
        case HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown: return BackendError.interrupted(message.url, cause: error)
        case is HTTPParserError, is NIOHTTPDecompression.DecompressionError:
            return BackendError.malformedResponse(message.url, cause: error)
        default: break
        }
        guard hasReceivedHead else { return BackendError.unreachable(message.url, cause: error) }
        return error is IOError
            ? BackendError.interrupted(message.url, cause: error) : BackendError.malformedResponse(message.url, cause: error)
    }
#endif
