import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A TCP proxy to a server whose port may change, which counts the bytes in each direction.
final class CountingProxy: Sendable {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The socket buffer size in bytes: small, so that counted bytes have mostly arrived.
    private static let bufferSize: SocketOptionValue = 65_536

    private struct State {
        var port: Int
        var up = 0
        var down = 0
        var observers: [(isSeen: @Sendable (Int, Int) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    private let listener: NIOAsyncChannel<Connection, Never>
    private let serving: Task<Void, Never>

    /// Starts a proxy.
    ///
    /// - Parameter port: The port of the server on this machine.
    init(to port: Int) async throws {
        state = Mutex(State(port: port))
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.so_rcvbuf), value: Self.bufferSize)
            .childChannelOption(.socketOption(.so_sndbuf), value: Self.bufferSize)
            .bind(host: "127.0.0.1", port: 0) { Self.wrapped($0) }
        let (listener, proxy) = (listener, WeakProxy())
        serving = Task {
            try? await withThrowingDiscardingTaskGroup { group in
                try await listener.executeThenClose { clients in
                    for try await client in clients { group.addTask { await proxy.value?.forward(client) } }
                }
            }
        }
        proxy.set(self)
    }

    /// The port for clients.
    var port: Int { listener.channel.localAddress?.port ?? 0 }

    /// The number of bytes sent to the server and received from it.
    var counts: (up: Int, down: Int) { state.withLock { ($0.up, $0.down) } }

    /// Relays new connections to another port.
    func move(to port: Int) { state.withLock { $0.port = port } }

    /// Waits until the byte counts satisfy a condition.
    func wait(until isSeen: @escaping @Sendable (_ up: Int, _ down: Int) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isSeenNow = state.withLock { state in
                if isSeen(state.up, state.down) { return true }
                state.observers.append((isSeen, continuation))
                return false
            }
            if isSeenNow { continuation.resume() }
        }
    }

    func stop() { serving.cancel() }

    private func count(up: Int = 0, down: Int = 0) {
        let seen = state.withLock { state in
            state.up += up
            state.down += down
            let (up, down) = (state.up, state.down)
            let seen = state.observers.filter { $0.isSeen(up, down) }.map(\.continuation)
            state.observers.removeAll { $0.isSeen(up, down) }
            return seen
        }
        for continuation in seen { continuation.resume() }
    }

    private func forward(_ client: Connection) async {
        let port = state.withLock { $0.port }
        let server = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.socketOption(.so_rcvbuf), value: Self.bufferSize)
            .channelOption(.socketOption(.so_sndbuf), value: Self.bufferSize)
            .connect(host: "127.0.0.1", port: port) { Self.wrapped($0) }
        guard let server else {
            try? await client.executeThenClose { _, _ in }
            return
        }
        // The end of either side closes both, so that a killed process leaves no half-open connection.
        try? await client.executeThenClose { fromClient, toClient in
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        for try await bytes in fromClient {
                            self.count(up: bytes.readableBytes)
                            try await toServer.write(bytes)
                        }
                    }
                    group.addTask {
                        for try await bytes in fromServer {
                            self.count(down: bytes.readableBytes)
                            try await toClient.write(bytes)
                        }
                    }
                    defer {
                        for channel in [client.channel, server.channel] { channel.close(promise: nil) }
                        group.cancelAll()
                    }
                    try await group.next()
                }
            }
        }
    }

    private static func wrapped(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
    }

    /// A weak reference to the proxy for its own task.
    private final class WeakProxy: Sendable {
        private struct Reference: Sendable { weak var proxy: CountingProxy? }
        private let reference = Mutex(Reference())

        var value: CountingProxy? { reference.withLock { $0.proxy } }
        func set(_ proxy: CountingProxy) { reference.withLock { $0.proxy = proxy } }
    }
}
