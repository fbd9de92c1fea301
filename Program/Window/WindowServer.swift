import ContentCoding
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
    private let repositories: Repositories
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
        repositories = Repositories(orders: orders, deliveries: deliveries, photos: photos)
        let sessions = WindowSessions(
            limits: PageLimits(total: configuration.pages, perClient: configuration.pagesPerClient), clock: clock,
            makeID: { [node = configuration.node] in node?.sessionID(makeID()) ?? makeID() },
            reachability: orders.client.reachability)
        recovery = FailureRecovery(client: orders.client, sessions: sessions) {
            orders.catalog.clearFailures()
            await orders.prefetch()
        }
        let address = configuration.address
        let resources = try Self.resources.get()
        let router = Self.router(
            showing: repositories, tiles: tiles ?? MapTiles(), account: account, sessions: sessions, clock: clock, makeID: makeID,
            resources: resources, hosts: configuration.allowedHosts, isSecure: configuration.tls != nil,
            proxies: configuration.clients.proxies, node: configuration.node)
        application = Application(
            responder: RequestTask(responder: router.buildResponder()),
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
        let preloading = Task { await repositories.orders.prefetch() }
        let recovering = Task { await recovery.run() }
        defer {
            preloading.cancel()
            recovering.cancel()
            repositories.orders.queue.cancelAll()
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
                additionalChannelHandlers: [ConnectionLimitHandler(connections), RequestHeadInstaller()], idleTimeout: idleTimeout))
        do {
            try configuration.address.validate()
            return try configuration.tls?.securing(server) ?? server
        } catch {
            throw .startup(error)
        }
    }

    private static func router(
        showing repositories: Repositories, tiles: MapTiles, account: AccountService?, sessions: WindowSessions, clock: any Clock<Duration>,
        makeID: @escaping @Sendable () -> String, resources: Resources,
        hosts: AllowedHosts, isSecure: Bool, proxies: TrustedProxies, node: WindowNode?
    ) -> Router<WindowContext> {
        let (assets, renderer) = (resources.assets, resources.renderer)
        let cookie = TokenCookie(isSecure: isSecure)
        let couriers = account.map { account in
            CourierRoutes(
                account: account, cookie: cookie, repository: repositories.orders, renderer: renderer, sessions: sessions, clock: clock,
                mapSource: tiles.source, makeKey: makeID)
        }
        let dispatch = account.map { account in
            DispatchRoutes(
                account: account, cookie: cookie, repository: repositories.orders, renderer: renderer, sessions: sessions, clock: clock,
                mapSource: tiles.source, makeKey: makeID)
        }
        var apps: [any AppRoutes] = [
            OrderRoutes(
                repository: repositories.orders, renderer: renderer, sessions: sessions, clock: clock, mapSource: tiles.source,
                couriers: couriers),
            DeliveryRoutes(
                repository: repositories.deliveries, renderer: renderer, sessions: sessions, clock: clock, mapSource: tiles.source),
            PhotoRoutes(repository: repositories.photos, renderer: renderer, sessions: sessions, clock: clock),
        ]
        if let dispatch { apps.append(dispatch) }
        let router = Router(context: WindowContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponseCompression())
        router.add(middleware: PageHeaders())
        router.add(middleware: ErrorPages(renderer: renderer))
        router.add(middleware: RequestCheck(hosts: hosts))
        if let node { router.add(middleware: SessionForwarding(node: node, sessions: sessions, proxies: proxies)) }
        let accounts = account.map { AccountRoutes(service: $0, renderer: renderer, cookie: cookie, proxies: proxies) }
        accounts?.add(to: router)
        StaticRoutes(renderer: renderer, assets: assets, tiles: tiles, account: accounts).add(to: router)
        OfflineRoutes(renderer: renderer, assets: assets).add(to: router)
        LanguageRoutes(isSecure: isSecure).add(to: router)
        for app in apps { app.add(to: router) }
        let blocks = GzipBlockCache()
        SessionRoutes(sessions: sessions, apps: apps, blocks: blocks, proxies: proxies).add(to: router)
        OperationRoutes(queue: repositories.orders.queue, renderer: renderer, clock: clock, blocks: blocks).add(to: router)
        return router
    }

    /// The data of all apps.
    private struct Repositories {
        let orders: OrderRepository
        let deliveries: DeliveryRepository
        let photos: PhotoRepository
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
