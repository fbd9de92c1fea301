package import Foundation
import Hummingbird
package import Logging
import ServiceLifecycle

/// The server behind the apps: it serves the orders of a demo city over HTTP until its service group shuts down.
///
/// ```swift
/// let origin = try await OriginServer(configuration, logger: logger, now: Date.init) { address in
///     print("The origin listens on \(address)")
/// }
/// try await origin.run()
/// ```
package struct OriginServer: Service {
    let application: Application<RouterResponder<BasicRequestContext>>
    private let configuration: OriginConfiguration
    private let database: OrderDatabase
    private let lock: DirectoryLock?

    /// Locks the data directory, and opens, migrates and fills the database.
    ///
    /// - Parameters:
    ///   - now: the date of documents made now.
    ///   - onListening: called once with the base URL, the port that was bound in it, when requests can be sent.
    package init(
        _ configuration: OriginConfiguration,
        logger: Logger,
        now: @Sendable () -> Date,
        onListening: @escaping @Sendable (URL) async -> Void = { _ in }
    ) async throws(OriginError) {
        try configuration.validate()
        let pictures = try GroceryPictures(directory: GroceryPictures.bundledDirectory())
        self.configuration = configuration
        (database, lock) = try Self.openStorage(configuration.storage)
        let demo = DemoOrders(count: configuration.orders, seed: configuration.seed)
        let date = try await database.fill(with: demo, now: now())
        let orders = OrderRoutes(database: database, pictures: pictures, lastModified: HTTPDate(date))
        application = Self.application(serving: orders, configuration, logger: logger, onListening: onListening)
    }

    /// Serves until graceful shutdown, then closes the database and gives the directory back.
    ///
    /// - Throws: `OriginError`, or `CancellationError` when its task is cancelled.
    package func run() async throws {
        defer {
            try? database.close()
            lock?.release()
        }
        do {
            try await application.run()
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            throw OriginError(error, listeningOn: configuration)
        }
    }
}
