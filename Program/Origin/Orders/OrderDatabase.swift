import OrderLifecycle
import OrderStorage
import OrderStoragePostgreSQL

/// The database of the orders and people of a running origin: its own, or a PostgreSQL server that it shares with others.
struct OrderDatabase: Sendable {
    let store: any OrderImportStore
    private let server: PostgreSQLOrders?

    /// Whether other origins use the database.
    var isShared: Bool { server != nil }

    init(_ configuration: OriginConfiguration, in database: OriginDatabase) async throws(OriginError) {
        guard let address = configuration.orderDatabase else {
            (server, store) = (nil, database.orders(configuration.lifecycleLimits))
            return
        }
        let server = try await PostgreSQLOrders.open(address, limits: configuration.lifecycleLimits)
        (self.server, store) = (server, server.store)
    }

    /// The interval between two checks of the release.
    private static let checkInterval = Duration.seconds(5)

    /// Returns when a later release has changed the tables so that this program must end, and when the task is cancelled.
    ///
    /// - Throws: `OriginError.orderDatabaseUnavailable`.
    func watchRelease() async throws {
        guard let server else { return }
        while (try? await Task.sleep(for: Self.checkInterval)) != nil {
            do { try await server.checkRelease() } catch { throw OriginError.orderDatabaseUnavailable(error) }
        }
    }

    func close() async { await server?.close() }
}

extension PostgreSQLOrders {
    static func open(_ address: String, limits: LifecycleLimits = LifecycleLimits()) async throws(OriginError) -> PostgreSQLOrders {
        do {
            return try await PostgreSQLOrders(at: address, limits: limits)
        } catch {
            throw .orderDatabaseUnavailable(error as? Failure ?? .unavailable("\(error)"))
        }
    }
}
