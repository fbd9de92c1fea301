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

/// A reverse proxy that serves an origin through an `HTTPCache`, so that several programs share stored responses and concurrent requests.
///
/// Bodies are streamed in both directions, with their content codings.
package struct CacheProxyServer: Service {
    /// The maximum time that a connection stays open without a request.
    private static let idleTimeout = TimeAmount.seconds(60)

    private let address: ListenAddress
    private let clients: ClientLimits
    private let responder: ProxyResponder
    private let logger: Logger
    private let onListening: @Sendable (URL) async -> Void

    /// Creates a proxy, which listens once it runs.
    ///
    /// - Parameters:
    ///   - allowedHosts: The hosts that it serves; nil for those that the address implies.
    ///   - clients: The limits of connections per client; trusted proxies have none.
    ///   - exchangesPerClient: The maximum number of concurrent exchanges of one client with the origin; nil for no limit. A request
    ///     beyond it gets 503, unless a stored response is served. The client of a trusted proxy is the one that it names.
    ///   - origin: The URL of the origin; its path is prepended to that of each request.
    ///   - executor: Sends requests to the origin, without decoding content codings. Its own limit of silence is that of uploads, and of the
    ///     wait for the response to one. Interim responses are forwarded if it reports them.
    ///   - onListening: Called once with the base URL, including the bound port, when requests can be sent.
    package init(
        _ address: ListenAddress, allowedHosts: AllowedHosts? = nil, clients: ClientLimits = ClientLimits(),
        exchangesPerClient: Int? = nil, origin: URL, cache: HTTPCache, executor: any BackendExecutor, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() },
        onListening: @escaping @Sendable (URL) async -> Void = { _ in }
    ) {
        self.address = address
        self.clients = clients
        self.responder = ProxyResponder(
            hosts: allowedHosts ?? AllowedHosts(listeningOn: address), origin: ProxyOrigin(origin), cache: cache,
            executor: RetryOnceExecutor(executor), proxies: clients.proxies,
            exchangeCounts: exchangesPerClient.map { ClientCounts(limit: $0) }, now: now)
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until graceful shutdown. Cancellation during the shutdown aborts the remaining responses; `run()` then returns normally.
    ///
    /// - Throws: `CacheProxyError`, or `CancellationError` when its task is cancelled before the shutdown.
    package func run() async throws {
        DescriptorLimit.raise()
        do {
            let connections = ConnectionCounts(clients)
            let http = HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    ConnectionLimitHandler(connections), ClientTimeoutInstaller(), RequestHeadInstaller(), HeadResponseHandler(),
                    ExpectContinueHandler(),
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

/// An error of starting or running the proxy, whose description names the next step.
package enum CacheProxyError: Error {
    case startup(StartupError)
    case stopped(cause: any Error)
}

extension CacheProxyError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .startup(let error): error.description
        case .stopped(let cause): "The proxy stopped unexpectedly: \(cause). Start it again."
        }
    }
}
