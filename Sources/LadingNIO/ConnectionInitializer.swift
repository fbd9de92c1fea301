import AsyncHTTPClient
import Foundation
import LadingHTTP
import NIOCore

/// What is done with each new connection of a client before it writes a request to it.
struct ConnectionInitializer {
    /// How many bytes the system may take that it has not sent yet.
    ///
    /// It takes megabytes otherwise. Nobody could then tell a slow link from a server that takes nothing, nor what has been sent.
    private static let notSentLowWaterMark: SocketOptionValue = 64 << 10

    /// How many bytes are read from a socket at once: few while little comes, and up to so many from a quick line. Each reading wakes whoever consumes the
    /// body, so that a large file in small pieces costs more for waking than for its bytes.
    private static let receiveAllocator = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2 << 10, maximum: 512 << 10)

    let addressPolicy: AddressPolicy
    let registry: ExchangeRegistry

    func install(in configuration: inout HTTPClient.Configuration) {
        let setUp = initialize
        configuration.http1_1ConnectionDebugInitializer = { [registry] connection in
            setUp(connection).flatMap { InterimResponseHandler.install(in: connection, registry) }
        }
        configuration.http2ConnectionDebugInitializer = setUp
    }

    private func initialize(_ connection: any Channel) -> EventLoopFuture<Void> {
        let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
        // Without it an exchange is coarser, not wrong.
        return connection.setOption(option, value: Self.notSentLowWaterMark).recover { _ in }
            .flatMap { connection.setOption(.recvAllocator, value: Self.receiveAllocator) }
            .flatMap { checkAddress(connection) }
    }

    private func checkAddress(_ connection: any Channel) -> EventLoopFuture<Void> {
        guard addressPolicy != .any else { return connection.eventLoop.makeSucceededVoidFuture() }
        return AddressGuard(addressPolicy: addressPolicy).check(connection)
    }
}
