package import Foundation
import NIOCore
import NIOPosix
package import ServerStartup
import ServiceLifecycle

/// A simulated link to one server, whose connections share its bandwidth, latency and losses.
///
/// It listens on its own address and relays bytes without interpreting them.
///
/// ```swift
/// let link = LinkConditioner(.edge, to: origin, listeningOn: ListenAddress(port: 8081)) { print("Slow: \($0)") }
/// try await link.run()
/// ```
package struct LinkConditioner: Service {
    /// The maximum number of bytes read from a socket at once.
    private static let readSize = 16_384

    private let profile: LinkProfile
    private let server: URL
    private let address: ListenAddress
    private let isPortOptional: Bool
    private let connections: ConnectionCounts
    private let seed: UInt64
    private let onListening: @Sendable (URL) async -> Void

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - server: The base URL of the server behind the link.
    ///   - isPortOptional: Whether any free port is acceptable when the given one is in use.
    ///   - clients: The connection limits of each client.
    ///   - seed: The seed of losses.
    ///   - onListening: Called once with the base URL of the link.
    package init(
        _ profile: LinkProfile, to server: URL, listeningOn address: ListenAddress, isPortOptional: Bool = false,
        clients: ClientLimits = ClientLimits(), seed: UInt64 = 1, onListening: @escaping @Sendable (URL) async -> Void = { _ in }
    ) {
        self.profile = profile
        self.server = server
        self.address = address
        self.isPortOptional = isPortOptional
        connections = ConnectionCounts(clients)
        self.seed = seed
        self.onListening = onListening
    }

    /// Relays until graceful shutdown or cancellation, then drops open connections.
    ///
    /// - Throws: `OriginError` when it cannot listen.
    package func run() async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let link = Link(profile, seed: seed)
        let forwarder = try await eventLoop.submit { NIOLoopBound(LinkForwarder(link, on: eventLoop), eventLoop: eventLoop) }.get()
        let listener = try await listen(on: eventLoop, forwarder)
        await AcceptPauseHandler.install(on: listener)
        await onListening(address.baseURL(boundTo: listener.localAddress?.port))
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await listener.closeFuture.get()
            } onGracefulShutdown: {
                listener.close(promise: nil)
            }
        } onCancel: {
            listener.close(promise: nil)
        }
        try await eventLoop.submit { forwarder.value.shutdown() }.get()
    }
}

// MARK: - Sockets

extension LinkConditioner {
    private func listen(on eventLoop: any EventLoop, _ forwarder: NIOLoopBound<LinkForwarder>) async throws(OriginError) -> any Channel {
        let listener = listener(on: eventLoop, forwarder)
        do {
            return try await listener.bind(host: address.host, port: address.port).get()
        } catch {
            guard isPortOptional, case .portInUse = StartupError(error, listeningOn: address) else {
                throw OriginError(error, listeningOn: address)
            }
        }
        do {
            return try await listener.bind(host: address.host, port: 0).get()
        } catch {
            throw OriginError(error, listeningOn: address)
        }
    }

    private func listener(on eventLoop: any EventLoop, _ forwarder: NIOLoopBound<LinkForwarder>) -> ServerBootstrap {
        ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
            .childChannelOption(.socketOption(.so_rcvbuf), value: SocketOptionValue(DirectedLink.sendWindow))
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { client in
                client.eventLoop.makeCompletedFuture { try client.pipeline.syncOperations.addHandler(ConnectionLimitHandler(connections)) }
                    .flatMap { connectToServer(eventLoop, forwarder, for: client) }
            }
    }

    /// Connects to the server for a client, which is closed when that fails.
    private func connectToServer(_ eventLoop: any EventLoop, _ forwarder: NIOLoopBound<LinkForwarder>, for client: any Channel)
        -> EventLoopFuture<
            Void
        >
    {
        ClientBootstrap(group: eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
            .channelOption(.socketOption(.so_rcvbuf), value: SocketOptionValue(DirectedLink.sendWindow))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: server.host() ?? "127.0.0.1", port: server.port ?? 80)
            .flatMapThrowing { try forwarder.value.addConnection(client, $0) }
    }
}
