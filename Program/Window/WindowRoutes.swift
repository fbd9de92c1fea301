import ContentCoding
import Hummingbird
import ServerStartup

/// The routes of a window, and the middleware in front of them.
struct WindowRoutes {
    let configuration: WindowConfiguration
    let orders: OrderRepository
    let deliveries: DeliveryRepository
    let photos: PhotoRepository
    let pages: PageDependencies
    let assets: AssetStore
    let tiles: MapTiles
    /// The service for signing in; nil where nobody can sign in.
    let account: AccountService?
    /// Makes the idempotency keys of forms.
    let makeKey: @Sendable () -> String

    func router() -> Router<WindowContext> {
        let router = Router(context: WindowContext.self, options: .autoGenerateHeadEndpoints)
        // It applies only to the routes that are added after it.
        addMiddleware(to: router)
        addCommonPages(to: router)
        let apps = makeApps()
        for app in apps { app.add(to: router) }
        addEventStreams(of: apps, to: router)
        return router
    }
}

// MARK: - Apps

extension WindowRoutes {
    private func makeApps() -> [any AppRoutes] {
        var apps: [any AppRoutes] = [
            OrderRoutes(repository: orders, pages: pages, couriers: account.map(couriers)),
            DeliveryRoutes(repository: deliveries, pages: pages),
            PhotoRoutes(repository: photos, pages: pages),
        ]
        if let account { apps.append(dispatch(account)) }
        return apps
    }

    private func couriers(_ account: AccountService) -> CourierRoutes {
        CourierRoutes(account: account, cookie: cookie, repository: orders, pages: pages, makeKey: makeKey)
    }

    private func dispatch(_ account: AccountService) -> DispatchRoutes {
        DispatchRoutes(
            account: account, cookie: cookie, repository: orders, renderer: pages.renderer, sessions: pages.sessions, clock: pages.clock,
            mapSource: pages.mapSource, makeKey: makeKey)
    }
}

// MARK: - What all apps share

extension WindowRoutes {
    private var isSecure: Bool { configuration.tls != nil }
    private var proxies: TrustedProxies { configuration.clients.proxies }
    private var cookie: TokenCookie { TokenCookie(isSecure: isSecure) }
    private var operationAccess: OperationAccess {
        OperationAccess(account: account, isPrivate: configuration.address.isLoopback && proxies.isEmpty)
    }

    private func addMiddleware(to router: Router<WindowContext>) {
        router.add(middleware: ResponseCompression())
        router.add(middleware: PageHeaders())
        router.add(middleware: ErrorPages(renderer: pages.renderer))
        router.add(middleware: RequestCheck(hosts: configuration.allowedHosts))
        if let node = configuration.node {
            router.add(middleware: SessionForwarding(node: node, sessions: pages.sessions, proxies: proxies))
        }
    }

    /// Adds the pages for signing in, starting, working offline, and choosing a language.
    private func addCommonPages(to router: Router<WindowContext>) {
        let accounts = account.map { AccountRoutes(service: $0, renderer: pages.renderer, cookie: cookie, proxies: proxies) }
        accounts?.add(to: router)
        StaticRoutes(renderer: pages.renderer, assets: assets, tiles: tiles, account: accounts, operations: operationAccess)
            .add(to: router)
        OfflineRoutes(renderer: pages.renderer, assets: assets).add(to: router)
        LanguageRoutes(isSecure: isSecure).add(to: router)
    }

    /// Adds the event streams of page sessions and of the page of operations, which share blocks of compressed events.
    private func addEventStreams(of apps: [any AppRoutes], to router: Router<WindowContext>) {
        let blocks = GzipBlockCache()
        SessionRoutes(sessions: pages.sessions, apps: apps, blocks: blocks, proxies: proxies).add(to: router)
        OperationRoutes(
            queue: orders.queue, feed: OperationFeed(orders.queue, clock: pages.clock), access: operationAccess, renderer: pages.renderer,
            sessions: pages.sessions, blocks: blocks, proxies: proxies
        ).add(to: router)
    }
}
