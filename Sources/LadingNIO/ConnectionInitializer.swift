import AsyncHTTPClient
import Foundation
import LadingHTTP
import NIOCore

/// The initialization of each new connection of a client, before it writes a request.
struct ConnectionInitializer {
    /// The maximum number of unsent bytes that the system accepts for a socket.
    ///
    /// The default of megabytes would make a slow link look like a stalled server, and hide how much has been sent.
    private static let notSentLowWaterMark: SocketOptionValue = 64 << 10

    /// The allocator for socket reads, which are small while little data arrives and grow on a fast link. Each read resumes the consumer of
    /// the body, so that small reads of a large file cost more than its bytes.
    private static let receiveAllocator = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2 << 10, maximum: 512 << 10)

    let addressPolicy: AddressPolicy
    let registry: ExchangeRegistry

    func install(in configuration: inout HTTPClient.Configuration) {
        let initialize = initialize
        configuration.http1_1ConnectionDebugInitializer = { [registry] connection in
            initialize(connection).flatMap { ExchangeOptionsHandler.install(in: connection, registry) }
        }
        configuration.http2ConnectionDebugInitializer = initialize
    }

    private func initialize(_ connection: any Channel) -> EventLoopFuture<Void> {
        let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
        // Without the option exchanges are less precise, not wrong.
        return connection.setOption(option, value: Self.notSentLowWaterMark).recover { _ in }
            .flatMap { connection.setOption(.recvAllocator, value: Self.receiveAllocator) }
            .flatMap { checkAddress(connection) }
    }

    private func checkAddress(_ connection: any Channel) -> EventLoopFuture<Void> {
        guard addressPolicy != .any else { return connection.eventLoop.makeSucceededVoidFuture() }
        return AddressGuard(addressPolicy: addressPolicy).check(connection)
    }
}
