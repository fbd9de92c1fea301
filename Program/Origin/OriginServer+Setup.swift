import DemoCity
import Foundation
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
    ) -> LocalDatabase.Demo {
        let city = City.shared
        return LocalDatabase.Demo(
            orders: DemoOrders(
                count: configuration.orderCount ?? OriginConfiguration.defaultOrderCount, seed: configuration.seed, city: city),
            isDefaultOrderCount: configuration.orderCount == nil,
            deliveries: DemoDeliveries(count: configuration.deliveryCount, seed: configuration.seed, city: city), now: now,
            isShared: configuration.sharedDatabase != nil, onProgress: onProgress)
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
                        ConnectionLimitHandler(connections), ClientTimeoutInstaller(), RequestHeadInstaller(), RequestCounter(metrics),
                        ExpectContinueHandler(),
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
}

extension OriginError {
    /// Converts an error of a server that listens on an address.
    init(_ error: any Error, listeningOn address: ListenAddress) {
        self = StartupError(error, listeningOn: address).map { .startup($0) } ?? .stopped(cause: error)
    }
}
