import Foundation
import OrderStorage
import ServerStartup

/// The orders and people of an origin, opened by a command, also while origins run.
struct OpenedOrderStore {
    private enum Database {
        /// The lock on the directory is nil while an origin holds it.
        case file(OriginDatabase, lock: DirectoryLock?)
        case shared(SharedDatabase)
    }

    let store: any OrderImportStore
    private let database: Database

    /// Opens the database.
    ///
    /// - Parameter createsDatabase: Whether a missing database in a directory is created; otherwise it is an error.
    init(in location: StoreLocation, createsDatabase: Bool) async throws(OriginError) {
        switch location {
        case .directory(let directory):
            if !createsDatabase { try Self.requireDatabase(in: directory) }
            let lock: DirectoryLock?
            do { lock = try DirectoryLock.tryLock(of: directory, fileName: LocalDatabase.lockName) } catch {
                throw .directoryUnavailable(error)
            }
            let file = try OriginDatabase(in: directory, isOwner: lock != nil)
            (database, store) = (.file(file, lock: lock), file.orders())
        case .postgreSQL(let address, let proofContents):
            do {
                let shared = try await SharedDatabase(at: address, proofContents: proofContents)
                (database, store) = (.shared(shared), shared.orders)
            } catch {
                throw .sharedDatabaseUnavailable(error)
            }
        }
    }

    private static func requireDatabase(in directory: URL) throws(OriginError) {
        let exists: Bool
        do { exists = try OriginDatabase.exists(in: directory) } catch {
            throw .directoryUnavailable(.unavailable(directory, cause: error))
        }
        guard exists else { throw .noDatabase(directory) }
    }

    func close() async throws {
        switch database {
        case .file(let file, nil): try file.closeBesideOwner()
        case .file(let file, let lock?):
            defer { lock.release() }
            try file.close()
        case .shared(let shared): await shared.close()
        }
    }
}
