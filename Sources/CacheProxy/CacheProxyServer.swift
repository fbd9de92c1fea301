package import Foundation
import HTTPTypes
import HummingbirdCore
package import LadingHTTP
package import Logging
import NIOCore
import NIOPosix
package import ServerSecurity
package import ServerStartup
import ServiceLifecycle

/// A reverse proxy: it answers for an origin through an `HTTPCache`, so that several programs share what is kept and what is asked.
///
/// Bodies go through in both directions as they come, with their content codings.
package struct CacheProxyServer: Service {
    /// How long a connection may stay open without a request.
    private static let idleTimeout = TimeAmount.seconds(60)

    private let address: ListenAddress
    private let clients: ClientLimits
    private let responder: ProxyResponder
    private let logger: Logger
    private let onListening: @Sendable (URL) async -> Void

    /// - Parameters:
    ///   - allowedHosts: The hosts that it answers to; nil for those that the address implies.
    ///   - clients: The connections that one client may have; the proxies in it may have any number.
    ///   - origin: The server it answers for; a path in it stands before that of each request.
    ///   - executor: Asks the origin; it leaves content codings alone. Interim responses pass if it reports them.
    ///   - onListening: Called once with the base URL, the port that was bound in it, when requests can be sent.
    package init(
        _ address: ListenAddress, allowedHosts: AllowedHosts? = nil, clients: ClientLimits = ClientLimits(), origin: URL,
        cache: HTTPCache, executor: any BackendExecutor, logger: Logger, now: @escaping @Sendable () -> Date = { Date() },
        onListening: @escaping @Sendable (URL) async -> Void = { _ in }
    ) {
        self.address = address
        self.clients = clients
        self.responder = ProxyResponder(
            hosts: allowedHosts ?? AllowedHosts(listeningOn: address), origin: ProxyOrigin(origin), cache: cache,
            executor: RetryOnceExecutor(executor), now: now)
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until graceful shutdown.
    ///
    /// - Throws: `CacheProxyError`, or `CancellationError` when its task is cancelled.
    package func run() async throws {
        do {
            let connections = ConnectionCounts(clients)
            let http = HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    ConnectionLimitHandler(connections), HeadResponseHandler(), InterimResponseFilter.Installer(), RequestHeadInstaller(),
                ],
                idleTimeout: Self.idleTimeout)
            let server = try HTTPServerBuilder.http1(configuration: http).buildServer(
                configuration: ServerConfiguration(address: .hostname(address.host, port: address.port)),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger,
                responder: { [responder] request, writer, channel in try await responder.respond(to: request, with: writer, on: channel) },
                onServerRunning: { [address, onListening] channel in
                    await AcceptPauseHandler.install(on: channel)
                    await onListening(address.baseURL(boundTo: channel.localAddress?.port))
                })
            try await server.run()
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            throw StartupError(error, listeningOn: address).map { CacheProxyError.startup($0) } ?? .stopped(cause: error)
        }
    }
}

/// Why a proxy could not start, or stopped; its text says what to do next.
package enum CacheProxyError: Error {
    case startup(StartupError)
    case stopped(cause: any Error)
}

extension CacheProxyError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .startup(let error): error.description
        case .stopped(let cause): "The proxy stopped (\(cause)): start it again."
        }
    }
}
