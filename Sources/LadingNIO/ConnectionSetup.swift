import AsyncHTTPClient
import Foundation
import LadingHTTP
import NIOCore

/// What is done with each new connection of a client before it writes a request to it.
struct ConnectionSetup {
    /// How many bytes the system may take that it has not sent yet.
    ///
    /// It takes megabytes otherwise. Nobody could then tell a slow link from a server that takes nothing, nor what has been sent.
    private static let unsentLimit: SocketOptionValue = 64 << 10

    /// How many bytes are read from a socket at once: few while little comes, and up to so many from a quick line. Each reading wakes whoever consumes the
    /// body, so that a large file in small pieces costs more for waking than for its bytes.
    private static let reading = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2 << 10, maximum: 512 << 10)

    let reach: AddressReach
    let interim: InterimObservers

    func install(in configuration: inout HTTPClient.Configuration) {
        let setUp = setUp
        configuration.http1_1ConnectionDebugInitializer = { [interim] connection in
            setUp(connection).flatMap { InterimResponseHandler.install(in: connection, interim) }
        }
        configuration.http2ConnectionDebugInitializer = setUp
    }

    private func setUp(_ connection: any Channel) -> EventLoopFuture<Void> {
        let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
        // Without it an exchange is coarser, not wrong.
        return connection.setOption(option, value: Self.unsentLimit).recover { _ in }
            .flatMap { connection.setOption(.recvAllocator, value: Self.reading) }
            .flatMap { judge(connection) }
    }

    private func judge(_ connection: any Channel) -> EventLoopFuture<Void> {
        guard reach != .any else { return connection.eventLoop.makeSucceededVoidFuture() }
        return AddressGuard(reach: reach).judge(connection)
    }
}
