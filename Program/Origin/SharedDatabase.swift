import Foundation
import OrderStorageSQLite
import ServerStartup

/// The database of an origin, opened by a command, also while the origin runs.
struct SharedDatabase {
    private let database: OriginDatabase
    /// The lock on the directory; nil while an origin holds it.
    private let lock: DirectoryLock?

    /// Opens the database, which is created when it is missing.
    init(in directory: URL) throws(OriginError) {
        do { lock = try DirectoryLock.tryLock(of: directory, fileName: OriginStorage.lockName) } catch {
            throw .directoryUnavailable(error)
        }
        database = try OriginDatabase(in: directory)
    }

    var orders: SQLiteOrderStore { database.orders() }

    func close() throws {
        guard let lock else { return try database.closeBesideOwner() }
        defer { lock.release() }
        try database.close()
    }
}
