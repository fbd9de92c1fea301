package import Foundation
import Hummingbird
import HummingbirdCore
import LadingHTTP
import LadingOperations
package import Logging
import NIOCore
import Orders
import ServerSecurity
import ServerStartup
import ServiceLifecycle

/// The web window: a server of the apps' pages as views of Swift controllers, running until its service group shuts down.
package struct WindowServer: Service {
    /// The maximum time that a connection stays open without a request.
    private static let idleTimeout = TimeAmount.seconds(60)

    let application: Application<RequestTask<RouterResponder<WindowContext>>>
    private let configuration: WindowConfiguration
    private let orders: OrderRepository
    private let recovery: FailureRecovery

    /// Creates a window, which listens once it runs.
    ///
    /// - Parameters:
    ///   - orders: The data of the order pages.
    ///   - deliveries: The data of the delivery pages.
    ///   - photos: The data of the photo pages.
    ///   - tiles: The tiles of maps; nil for the drawing of the demo city.
    ///   - account: The service for signing in; nil where the server of the orders has none.
    ///   - clock: Measures the time that a page waits for its rows.
    ///   - makeID: Returns the id of a new page session, which must be unguessable: it gives access to the session's rows.
    ///   - onListening: Called once when the server accepts requests, with the base URL including the bound port.
    package init(
        _ configuration: WindowConfiguration, showing orders: OrderRepository, _ deliveries: DeliveryRepository, _ photos: PhotoRepository,
        tiles: MapTiles? = nil, account: AccountService? = nil, logger: Logger,
        clock: any Clock<Duration> = ContinuousClock(),
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
        onListening: @escaping @Sendable (URL) async -> Void = { _ in }
    ) throws(WindowError) {
        self.configuration = configuration
        self.orders = orders
        let sessions = WindowSessions(
            limits: PageLimits(total: configuration.pages, perClient: configuration.pagesPerClient), clock: clock,
            makeID: { [node = configuration.node] in node?.sessionID(makeID()) ?? makeID() },
            reachability: orders.client.reachability)
        recovery = FailureRecovery(client: orders.client, sessions: sessions) {
            orders.catalog.clearFailures()
            await orders.prefetch()
        }
        let address = configuration.address
        let tiles = tiles ?? MapTiles()
        let resources = try Self.resources.get()
        let routes = WindowRoutes(
            configuration: configuration, orders: orders, deliveries: deliveries, photos: photos,
            pages: PageDependencies(renderer: resources.renderer, sessions: sessions, clock: clock, mapSource: tiles.source),
            assets: resources.assets, tiles: tiles, account: account, makeKey: makeID)
        application = Application(
            responder: RequestTask(responder: routes.router().buildResponder()),
            server: try Self.server(configuration),
            configuration: .init(address: .hostname(address.host, port: address.port)),
            services: [sessions],
            onServerRunning: { channel in
                await AcceptPauseHandler.install(on: channel)
                await onListening(
                    address.baseURL(boundTo: channel.localAddress?.port, isSecure: configuration.tls != nil))
            },
            logger: logger)
    }

    /// Serves until graceful shutdown, then cancels pending loads.
    ///
    /// - Throws: `WindowError`
    package func run() async throws {
        DescriptorLimit.raise()
        let preloading = Task { await orders.prefetch() }
        let recovering = Task { await recovery.run() }
        defer {
            preloading.cancel()
            recovering.cancel()
            orders.queue.cancelAll()
        }
        do {
            try await application.run()
            await configuration.node?.shutDownExecutor()
        } catch {
            await configuration.node?.shutDownExecutor()
            throw WindowError(error, listeningOn: configuration.address)
        }
    }
}

extension WindowServer {
    private static func server(_ configuration: WindowConfiguration) throws(WindowError) -> HTTPServerBuilder {
        let connections = ConnectionCounts(configuration.clients)
        let server = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [
                    ConnectionLimitHandler(connections), ClientTimeoutInstaller(), RequestHeadInstaller(), ExpectContinueHandler(),
                ],
                idleTimeout: idleTimeout))
        do {
            try configuration.address.validate()
            return try configuration.tls?.securing(server) ?? server
        } catch {
            throw .startup(error)
        }
    }

    /// The resources of pages, read once.
    private struct Resources: Sendable {
        let assets: AssetStore
        let renderer: PageRenderer
    }

    /// Returns the folder of the templates, scripts, styles and icons of all features.
    static func resourceFolder() throws(StartupError) -> URL { try ProgramResources.folder(of: "Window", .module) }

    /// The templates and assets, read once per process.
    private static let resources = Result<Resources, WindowError> { () throws(WindowError) in try loadResources() }

    private static func loadResources() throws(WindowError) -> Resources {
        do {
            let folder = try resourceFolder()
            let assets = try AssetStore(
                resources: folder, scripts: PageRenderer.Template.scripts.union(["worker.js"]), networkOnly: OfflineRoutes.networkOnlyAssets
            )
            let renderer = try PageRenderer(resources: folder, version: assets.version)
            return Resources(assets: assets, renderer: renderer)
        } catch let error as StartupError {
            throw .startup(error)
        } catch {
            throw .resourcesUnreadable(cause: error)
        }
    }
}

extension WindowError {
    /// Creates an error from the failure of a server that was to listen on an address.
    fileprivate init(_ error: any Error, listeningOn address: ListenAddress) {
        self = StartupError(error, listeningOn: address).map { .startup($0) } ?? .stopped(cause: error)
    }
}
