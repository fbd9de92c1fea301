import Foundation
import NIOCore
import NIOPosix

/// A TCP connection that supports half-closure.
typealias Socket = NIOAsyncChannel<ByteBuffer, ByteBuffer>

extension Socket {
    /// The receive buffer size of a client that does not read.
    private static var receiveBuffer: SocketOptionValue { 65_536 }

    /// Sends bytes to a port of this machine, passes the connection to a body, and closes it.
    static func connected<Value: Sendable>(
        to address: URL, sending bytes: ByteBuffer,
        _ body: @Sendable (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Value
    ) async throws -> Value {
        let socket = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.socketOption(.so_rcvbuf), value: receiveBuffer)
            .connect(host: "127.0.0.1", port: address.port ?? 80) { wrapped($0) }
        return try await socket.executeThenClose { inbound, outbound in
            try await outbound.write(bytes)
            return try await body(inbound, outbound)
        }
    }

    /// Sends a GET request and reads until the server closes the connection, or until `limit` bytes are read.
    static func response(from address: URL, to path: String, upTo limit: Int = .max) async throws -> String {
        let request = ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try await connected(to: address, sending: request) { inbound, _ in
            var response = ByteBuffer()
            for try await bytes in inbound {
                response.writeImmutableBuffer(bytes)
                if response.readableBytes >= limit { break }
            }
            return String(buffer: response)
        }
    }

    /// Runs a server that handles each connection with a closure and then ends its side, while a test uses it.
    static func withServer<Value: Sendable>(
        _ handle:
            @escaping @Sendable (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Void,
        while test: (URL) async throws -> Value
    ) async throws -> Value {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(host: "127.0.0.1", port: 0) { wrapped($0) }
        let address = URL(string: "http://127.0.0.1:\(listener.channel.localAddress?.port ?? 0)")!
        return try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                try await withThrowingDiscardingTaskGroup { connections in
                    try await listener.executeThenClose { inbound in
                        for try await socket in inbound {
                            connections.addTask {
                                try? await socket.executeThenClose { inbound, outbound in
                                    try await handle(inbound, outbound)
                                    outbound.finish()
                                    try await socket.channel.closeFuture.get()
                                }
                            }
                        }
                    }
                }
            }
            let value = try await test(address)
            tasks.cancelAll()
            return value
        }
    }

    private static func wrapped(_ channel: any Channel) -> EventLoopFuture<Socket> {
        channel.eventLoop.makeCompletedFuture {
            try Socket(wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }
}
