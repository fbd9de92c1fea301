import ContentCoding
import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import OrderAPI
import ServerStartup

/// The routes of an origin, and the middleware in front of them.
struct OriginRoutes {
    let configuration: OriginConfiguration
    let stores: OriginStores
    let api: OrderAPI
    let groceryImages: GroceryImages
    let demoDeliveries: DemoDeliveries
    let schedule: DemoSchedule
    let metrics: RequestMetrics
    /// The clock for injected delays.
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    private let rejections = FavouriteRejections()

    func router() -> Router<OriginContext> {
        let router = Router(context: OriginContext.self, options: .autoGenerateHeadEndpoints)
        // It applies only to the routes that are added after it.
        addMiddleware(to: router)
        addState(to: router)
        rejections.add(to: router)
        api.add(to: router)
        addDocuments(to: router)
        return router
    }

    private func addMiddleware(to router: Router<OriginContext>) {
        router.add(middleware: ResponseCompression())
        router.add(
            middleware: ErrorResponseMiddleware(
                hosts: configuration.allowedHosts, directory: configuration.storage.directory,
                apiFailures: UnroutedFailures(of: api, OriginContext.self), methods: Self.methods))
    }

    /// Adds the state of the server, and the counts of its requests.
    private func addState(to router: Router<OriginContext>) {
        router.get("health") { _, _ in "ok" }
        router.get("ready") { [api] _, _ in await api.readiness() }
        CountRoutes(metrics: metrics).add(to: router)
    }

    /// Adds the documents of the services, to which alone faults apply.
    private func addDocuments(to router: Router<OriginContext>) {
        let documents = router.group()
        if let faults = configuration.faults { documents.add(middleware: FaultInjection(faults, clock: clock)) }
        orders.add(to: documents)
        deliveries.add(to: documents)
        favourites.add(to: documents)
        photos.add(to: documents)
        uploads.add(to: documents)
    }

    /// Returns the methods of a path that allows others than GET and HEAD; nil for all other paths.
    private static func methods(at path: String) -> [HTTPRequest.Method]? {
        path == CountRoutes.path
            ? [.get, .head, .delete]
            : OrderAPI.methods(at: path) ?? UploadRoutes.methods(at: path) ?? DeliveryPath.methods(at: path)
                ?? FavouriteRejections.methods(at: path)
    }
}

// MARK: - Services

extension OriginRoutes {
    private var orders: OrderRoutes {
        OrderRoutes(
            orders: stores.orders, isPublic: configuration.hasPublicOrders, images: groceryImages,
            lastModified: HTTPDate(stores.local.ordersDate), schedule: stores.hasDemoOrders ? schedule : nil)
    }

    private var deliveries: DeliveryRoutes {
        let faultyDeliveries = configuration.faults.flatMap { $0.isOriginal ? FaultyDeliveries(demoDeliveries, plan: $0) : nil }
        return DeliveryRoutes(
            store: stores.deliveries, lastModified: HTTPDate(stores.deliveriesDate), faultyDeliveries: faultyDeliveries,
            schedule: schedule)
    }

    private var favourites: FavouriteRoutes {
        FavouriteRoutes(deliveries: stores.deliveries, favourites: stores.deliveries, rejections: rejections, now: now)
    }

    private var photos: PhotoRoutes {
        PhotoRoutes(
            solCatalog: SolCatalogCache(database: stores.local.database, seed: configuration.seed, now: now),
            images: ImageCache(seed: configuration.seed))
    }

    private var uploads: UploadRoutes {
        UploadRoutes(store: stores.uploads, metrics: metrics, proxies: configuration.clientLimits.proxies)
    }
}
