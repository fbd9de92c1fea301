import ContentCoding
import DemoCity
import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import OrderAPI
import OrderStorage
import OrderLifecycle
import ServerSecurity
import ServerStartup

extension OriginServer {
    /// The time after which a connection without a request is closed.
    private static let idleTimeout = TimeAmount.seconds(60)

    /// Returns the rows of the demo city.
    static func demo(
        _ configuration: OriginConfiguration, now: Date, onProgress: @escaping @Sendable (SetupProgress) -> Void
    ) -> OriginStorage.Demo {
        let city = City.shared
        return OriginStorage.Demo(
            orders: DemoOrders(
                count: configuration.orderCount ?? OriginConfiguration.defaultOrderCount, seed: configuration.seed, city: city),
            isDefaultOrderCount: configuration.orderCount == nil,
            deliveries: DemoDeliveries(count: configuration.deliveryCount, seed: configuration.seed, city: city), now: now,
            isShared: configuration.sharedDatabase != nil, onProgress: onProgress)
    }

    /// Returns the routes of the deliveries.
    static func deliveries(
        _ configuration: OriginConfiguration, _ demo: DemoDeliveries, in stores: OriginStores, schedule: DemoSchedule
    ) -> DeliveryRoutes {
        let faultyDeliveries = configuration.faults.flatMap { $0.isOriginal ? FaultyDeliveries(demo, plan: $0) : nil }
        return DeliveryRoutes(
            store: stores.deliveries, lastModified: HTTPDate(stores.deliveriesDate), faultyDeliveries: faultyDeliveries,
            schedule: schedule)
    }

    /// Opens the uploaded files, beside the database or in a temporary folder.
    static func openUploads(_ configuration: OriginConfiguration, now: @escaping @Sendable () -> Date) throws(OriginError) -> UploadStore {
        let (directory, temporary) = try uploadFolder(configuration.storage)
        do {
            return try UploadStore(
                in: directory, temporaryFolder: temporary, sizeLimit: configuration.uploadSizeLimit, limits: configuration.uploadLimits,
                bootID: BootID.current, now: now)
        } catch {
            throw .directoryUnavailable(.unavailable(directory, cause: error))
        }
    }

    private static func uploadFolder(_ storage: OriginConfiguration.Storage) throws(OriginError) -> (URL, UploadFolder?) {
        switch storage {
        case .directory(let directory):
            return (directory.appending(path: "uploads"), nil)
        case .inMemory:
            let parent = FileManager.default.temporaryDirectory
            do {
                let folder = try UploadFolder(in: parent)
                return (folder.url, folder)
            } catch {
                throw .directoryUnavailable(.unavailable(parent, cause: error))
            }
        }
    }

    static func application(
        _ router: Router<OriginContext>,
        _ configuration: OriginConfiguration,
        metrics: RequestMetrics,
        logger: Logger,
        onListening: @escaping @Sendable (URL) async -> Void
    ) -> Application<RouterResponder<OriginContext>> {
        let connections = ConnectionCounts(configuration.clientLimits)
        return Application(
            router: router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        ConnectionLimitHandler(connections), RequestHeadInstaller(), RequestCounter(metrics), ExpectContinueHandler(),
                    ],
                    idleTimeout: idleTimeout)),
            configuration: .init(address: .hostname(configuration.address.host, port: configuration.address.port)),
            onServerRunning: { channel in
                await AcceptPauseHandler.install(on: channel)
                await onListening(configuration.address.baseURL(boundTo: channel.localAddress?.port))
            },
            logger: logger
        )
    }

    /// Returns the API of the orders.
    static func api(
        _ configuration: OriginConfiguration, _ store: any OrderImportStore, now: @escaping @Sendable () -> Date
    ) -> OrderAPI {
        OrderAPI(
            store, settings: configuration.api, proxies: configuration.clientLimits.proxies,
            isDiskFull: { InsufficientStorage.isCause(of: $0, in: configuration.storage.directory) }, now: { Timestamp(now()) })
    }

    /// The routes of an origin's services.
    struct Services {
        let orders: OrderRoutes
        let deliveries: DeliveryRoutes
        let favourites: FavouriteRoutes
        let photos: PhotoRoutes
        let uploads: UploadRoutes
        let api: OrderAPI
    }

    /// Returns the router. Faults apply only to the documents of the services.
    static func router(
        serving services: Services, configuration: OriginConfiguration, metrics: RequestMetrics, rejections: FavouriteRejections,
        faults: FaultInjection?
    ) -> Router<OriginContext> {
        let router = Router(context: OriginContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponseCompression())
        router.add(
            middleware: ErrorResponseMiddleware(
                hosts: configuration.allowedHosts, directory: configuration.storage.directory, methods: methods))
        router.get("health") { _, _ in "ok" }
        router.get("ready") { _, _ in await services.api.readiness() }
        CountRoutes(metrics: metrics).add(to: router)
        rejections.add(to: router)
        services.api.add(to: router)
        let documents = router.group()
        if let faults { documents.add(middleware: faults) }
        services.orders.add(to: documents)
        services.deliveries.add(to: documents)
        services.favourites.add(to: documents)
        services.photos.add(to: documents)
        services.uploads.add(to: documents)
        return router
    }

    /// Returns the methods of a path that allows others than GET and HEAD; nil for all other paths.
    private static func methods(at path: String) -> [HTTPRequest.Method]? {
        path == CountRoutes.path
            ? [.get, .head, .delete]
            : OrderAPI.methods(at: path) ?? UploadRoutes.methods(at: path) ?? DeliveryPath.methods(at: path)
                ?? FavouriteRejections.methods(at: path)
    }
}

extension OriginError {
    /// Converts an error of a server that listens on an address.
    init(_ error: any Error, listeningOn address: ListenAddress) {
        self = StartupError(error, listeningOn: address).map { .startup($0) } ?? .stopped(cause: error)
    }
}
