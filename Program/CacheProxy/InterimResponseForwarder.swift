import HTTPTypes
import LadingHTTP
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A forwarder of interim responses from the origin to a client, until the final response begins (RFC 9110 §15.2): 102, 103 and future ones.
///
/// 100 and 101 are excluded: the proxy itself responds to `Expect` (`ExpectContinueHandler`), and forwards no `Upgrade`.
final class InterimResponseForwarder: Sendable {
    /// The maximum number of interim responses that are forwarded per request.
    private static let limit = 16

    private let channel: any Channel
    /// The number of interim responses that may still be forwarded.
    private let remaining = Mutex(limit)

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// Forwards a response. The lock is held while the head is written, so that none follows the final response.
    func forward(_ head: ResponseHead) {
        remaining.withLock { rest in
            guard rest > 0, (102..<200).contains(head.status.code) else { return }
            rest -= 1
            channel.writeAndFlush(HTTPResponsePart.head(ProxyOrigin.interimHead(head)), promise: nil)
        }
    }

    /// Ends forwarding, because the final response begins.
    func end() { remaining.withLock { $0 = 0 } }
}
