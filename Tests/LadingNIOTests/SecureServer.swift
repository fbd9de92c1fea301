import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TestCertificates

/// A server on `localhost` that offers HTTP/2 and HTTP/1.1 over TLS, and sends the same bytes for every request.
final class SecureServer: Sendable {
    private let channel: any Channel
    private let log: Log

    init(_ pair: SelfSignedCertificate, respondingWith response: String) async throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(pair.certificate.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(pair.key.utf8), format: .pem)))
        configuration.applicationProtocols = ["h2", "http/1.1"]
        let context = try NIOSSLContext(configuration: configuration)
        let log = Log()
        self.log = log
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(Responder(response, log))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var port: Int? { channel.localAddress?.port }

    /// The received requests.
    var received: String { log.text.withLock { $0 } }

    func stop() async throws { try await channel.close() }

    private final class Log: Sendable {
        let text = Mutex("")
    }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let response: String
        private let log: Log

        init(_ response: String, _ log: Log) {
            self.response = response
            self.log = log
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = String(buffer: unwrapInboundIn(data))
            let isWhole = log.text.withLock { text in
                text += bytes
                return text.hasSuffix("\r\n\r\n")
            }
            if isWhole { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil) }
        }
    }
}
