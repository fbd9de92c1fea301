import Foundation
import ServerStartup

/// The populated database of an origin, on disk or in memory, and the lock on its directory.
struct LocalDatabase: Sendable {
    static let lockName = "origin.lock"

    let database: OriginDatabase
    /// The lock on the directory; nil in memory.
    let lock: DirectoryLock?
    /// The date of the last change of the orders.
    let ordersDate: Date
    /// The date of the last change of the deliveries.
    let deliveriesDate: Date

    /// The demo rows of an origin.
    struct Demo {
        let orders: DemoOrders
        /// Whether the number of orders was not chosen.
        let isDefaultOrderCount: Bool
        let deliveries: DemoDeliveries
        let now: Date
        /// Whether the rows are those of a database that origins share, and not stored in the data directory.
        let isShared: Bool
        let onProgress: @Sendable (SetupProgress) -> Void
    }

    /// Locks the directory, and opens and populates the database.
    ///
    /// On a full disk a database with rows is read as it is. Only without one the rows are created in memory, and favourites are refused.
    ///
    /// - Parameter onFullDisk: Called with the directory when its disk is full.
    static func open(
        _ storage: OriginConfiguration.Storage, _ demo: Demo, onFullDisk: (URL) -> Void
    ) async throws(OriginError) -> LocalDatabase {
        guard case .directory(let directory) = storage else { return try await filled(try OriginDatabase(), nil, demo) }
        var lock: DirectoryLock?
        do throws(OriginError) {
            lock = try acquireLock(on: directory)
            let database = try OriginDatabase(in: directory, onProgress: demo.onProgress)
            if let local = try await filledIfPossible(database, lock, demo, onFullDisk: { onFullDisk(directory) }) { return local }
        } catch {
            // Invented orders in place of stored ones would be taken for real.
            guard error.isDiskFull, demo.isShared || !OriginDatabase.hasTables(in: directory) else { throw error }
        }
        onFullDisk(directory)
        var database = try OriginDatabase()
        database.isReplacement = true
        return try await filled(database, lock, demo)
    }

    private static func acquireLock(on directory: URL) throws(OriginError) -> DirectoryLock {
        do {
            return try DirectoryLock(of: directory, fileName: lockName)
        } catch {
            throw .directoryUnavailable(error)
        }
    }

    /// Populates the database of a directory; on a full disk returns the rows that it has, and nil if it has none.
    private static func filledIfPossible(
        _ database: OriginDatabase, _ lock: DirectoryLock?, _ demo: Demo, onFullDisk: () -> Void
    ) async throws(OriginError) -> LocalDatabase? {
        do throws(OriginError) {
            let local = try await filled(database, lock, demo)
            if database.isDiskFull { onFullDisk() }
            return local
        } catch {
            guard error.isDiskFull else { throw error }
        }
        guard try await database.hasRows() else { return nil }
        onFullDisk()
        return LocalDatabase(
            database: database, lock: lock, ordersDate: try await database.date(of: .orders) ?? demo.now,
            deliveriesDate: try await database.date(of: .deliveries) ?? demo.now)
    }

    private static func filled(
        _ database: OriginDatabase, _ lock: DirectoryLock?, _ demo: Demo
    ) async throws(OriginError) -> LocalDatabase {
        guard !demo.isShared else { return LocalDatabase(database: database, lock: lock, ordersDate: demo.now, deliveriesDate: demo.now) }
        let ordersDate = try await database.fill(
            with: demo.orders, isDefaultCount: demo.isDefaultOrderCount, now: demo.now, onProgress: demo.onProgress)
        let deliveriesDate = try await database.fill(with: demo.deliveries, now: demo.now, onProgress: demo.onProgress)
        return LocalDatabase(database: database, lock: lock, ordersDate: ordersDate, deliveriesDate: deliveriesDate)
    }
}
