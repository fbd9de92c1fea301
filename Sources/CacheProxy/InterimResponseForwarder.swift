import HTTPTypes
import LadingHTTP
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Passes the interim responses of an origin on to a client until the final response begins (RFC 9110 §15.2): 102, 103 and those to come.
///
/// 100 and 101 are not among them: the proxy itself answers `Expect`, and passes on no `Upgrade`.
final class InterimResponseForwarder: Sendable {
    /// The most interim responses to one request that are passed on.
    private static let limit = 16

    private let channel: any Channel
    /// The number of interim responses that may still be passed on.
    private let remaining = Mutex(limit)

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// The lock is held while the head is handed to the connection, so that none follows the final response.
    func forward(_ head: ResponseHead) {
        remaining.withLock { rest in
            guard rest > 0, (102..<200).contains(head.status.code) else { return }
            rest -= 1
            channel.writeAndFlush(HTTPResponsePart.head(ProxyOrigin.interimHead(head)), promise: nil)
        }
    }

    /// The final response begins.
    func end() { remaining.withLock { $0 = 0 } }
}
