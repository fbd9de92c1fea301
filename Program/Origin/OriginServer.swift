package import Foundation
import Hummingbird
package import Logging
package import OrderAPI
import ServerStartup
import ServiceLifecycle

/// A server for the demo apps: orders and deliveries of a demo city, photos of Mars rovers, and file uploads, over HTTP.
///
/// It runs until its service group shuts down.
///
/// ```swift
/// let origin = try await OriginServer(configuration, logger: logger, now: Date.init) { address in
///     print("The origin listens on \(address)")
/// }
/// try await origin.run()
/// ```
package struct OriginServer: Service {
    let application: Application<RouterResponder<OriginContext>>
    let metrics = RequestMetrics()
    private let configuration: OriginConfiguration
    private let stores: OriginStores
    private let api: OrderAPI
    /// Whether nobody was known when the server was created.
    private let needsFirstDispatcher: Bool
    private let logger: Logger
    private let now: @Sendable () -> Date

    /// Locks the data directory, and opens, migrates and populates the database.
    ///
    /// - Parameters:
    ///   - now: Returns the date for new documents and uploads.
    ///   - timeZone: The time zone of the demo's delivery dates.
    ///   - clock: The clock for injected delays.
    ///   - onSetupProgress: Called while a database is upgraded and rows are stored; not called when all are stored already.
    ///   - onFullDisk: Called once with the data directory if its disk is full: stored data is served, and nothing new is stored.
    ///   - onListening: Called once with the base URL, including the bound port, when requests can be sent.
    package init(
        _ configuration: OriginConfiguration,
        logger: Logger,
        now: @escaping @Sendable () -> Date,
        timeZone: TimeZone = .current,
        clock: any Clock<Duration> = ContinuousClock(),
        onSetupProgress: @escaping @Sendable (SetupProgress) -> Void = { _ in },
        onFullDisk: (URL) -> Void = { _ in },
        onListening: @escaping @Sendable (URL) async -> Void = { _ in }
    ) async throws(OriginError) {
        try configuration.validate()
        let groceryImages = try GroceryImages(directory: GroceryImages.bundledDirectory())
        self.configuration = configuration
        self.logger = logger
        self.now = now
        let demo = Self.demo(configuration, now: now(), onProgress: onSetupProgress)
        let schedule = DemoSchedule(now: now, timeZone: timeZone)
        let local = try await LocalDatabase.open(configuration.storage, demo, onFullDisk: onFullDisk)
        await local.database.setTimesOfDemoOrders(schedule)
        stores = try await OriginStores(configuration, local, demo: demo, now: now)
        api = Self.api(configuration, stores.orders, now: now)
        needsFirstDispatcher = try await stores.needsFirstDispatcher()
        let routes = OriginRoutes(
            configuration: configuration, stores: stores, api: api, groceryImages: groceryImages, demoDeliveries: demo.deliveries,
            schedule: schedule, metrics: metrics, clock: clock, now: now)
        application = Self.application(routes.router(), configuration, metrics: metrics, logger: logger, onListening: onListening)
    }

    var database: OriginDatabase { stores.local.database }

    /// The change feed of the orders.
    package var orderFeed: OrderFeed { api.feed }

    /// The simulated people of a city.
    package var simulatedPeople: SimulatedPeople { SimulatedPeople(stores.orders, now: now) }

    /// Adds the first dispatcher if nobody was known when the server was created, and returns the secret of a one-time link; nil otherwise.
    ///
    /// Call it once, when the link can be printed: after a start that fails before that, the next one adds the dispatcher.
    package func addFirstDispatcher() async throws(OriginError) -> String? {
        needsFirstDispatcher ? try await stores.addFirstDispatcher(now: now()) : nil
    }

    /// Serves until graceful shutdown, then closes the database and unlocks the directory.
    ///
    /// Cancellation during the shutdown aborts the remaining responses; `run()` then returns normally.
    ///
    /// - Throws: `OriginError`, or `CancellationError` when its task is cancelled before the shutdown.
    package func run() async throws {
        DescriptorLimit.raise()
        defer {
            try? database.close()
            stores.uploads.close()
            stores.local.lock?.release()
        }
        do {
            try await serveWithMaintenance()
            await stores.close()
        } catch  where Task.isCancelled && Task.isShuttingDownGracefully {
            return
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch let error as OriginError {
            throw error
        } catch {
            throw OriginError(error, listeningOn: configuration.address)
        }
    }

    private func serveWithMaintenance() async throws {
        // The results are whether the server has ended.
        try await withThrowingTaskGroup(of: Bool.self) { tasks in
            tasks.addTask {
                await api.runMaintenance(clock: ContinuousClock(), logger: logger)
                return false
            }
            tasks.addTask {
                try await stores.watchRelease()
                return false
            }
            tasks.addTask {
                try await serve()
                return true
            }
            defer { tasks.cancelAll() }
            while let hasEnded = try await tasks.next(), !hasEnded {}
        }
    }

    private func serve() async throws {
        do {
            try await application.run()
        } catch  where configuration.isPortOptional {
            guard case .portInUse = StartupError(error, listeningOn: configuration.address) else { throw error }
            var fallback = application
            fallback.configuration.address = .hostname(configuration.address.host, port: 0)
            try await fallback.run()
        }
    }
}
