package import struct Foundation.Date
import OrderLifecycle
import OrderStorage
import OrderStoragePostgreSQL
import PostgreSQLClient

/// A PostgreSQL database that several origins share, whose tables are created or upgraded when it is opened.
package struct SharedDatabase: Sendable {
    /// The reasons why a database cannot be used. Their text includes a remedy, and no password.
    package enum Failure: Error, Hashable {
        /// The program was built without the client library.
        case notBuilt
        case unavailable(String)
        /// A later release has changed the tables.
        case programTooOld
    }

    let orders: any OrderImportStore
    let deliveries: any DeliveryStore & FavouriteStore
    /// Returns the uploads, with the limits of a configuration.
    let uploads: @Sendable (OriginConfiguration, @escaping @Sendable () -> Date) -> any UploadStorage
    /// The database and its host, without a password.
    package let description: String

    #if PostgreSQL
        private let client: PostgreSQLClient
        private let migrator: PostgreSQLMigrator

        /// Connects to a database.
        ///
        /// - Parameter address: A connection URI or pairs of names and values, as libpq reads them.
        init(
            at address: String, limits: LifecycleLimits = LifecycleLimits(), proofContents: (any ProofContentStore)? = nil
        ) async throws(Failure) {
            do {
                client = PostgreSQLClient(try PostgreSQLConfiguration(address))
                migrator = Self.makeMigrator()
                do { try await migrator.migrate(client) } catch {
                    await client.shutDown()
                    throw error
                }
            } catch {
                throw Failure(error)
            }
            orders = PostgreSQLOrderStore(client, limits: limits, contents: proofContents, usesDatabaseTime: true)
            deliveries = PostgreSQLDeliveryStore(client: client)
            uploads = { [client] configuration, now in
                PostgreSQLUploadStorage(
                    client: client, sizeLimit: configuration.uploadSizeLimit, limits: configuration.uploadLimits, now: now)
            }
            description = client.configuration.description
        }

        /// Returns the migrations of all tables.
        static func makeMigrator() -> PostgreSQLMigrator {
            var migrator = PostgreSQLMigrator()
            PostgreSQLOrderStore.registerMigrations(in: &migrator)
            PostgreSQLDeliveryStore.registerMigrations(in: &migrator)
            PostgreSQLUploadStorage.registerMigrations(in: &migrator)
            return migrator
        }

        /// Stores the deliveries of a demo, unless those of another one are stored already, and returns the date of their last change.
        func fill(
            with demo: DemoDeliveries, now: Date, onProgress: @Sendable (SetupProgress) -> Void
        ) async throws(Failure) -> Date {
            do {
                return try await PostgreSQLDeliveryStore(client: client).fill(with: demo, now: now, onProgress: onProgress)
            } catch {
                throw Failure(error)
            }
        }

        /// Checks that no later release has changed the tables so that this one would do damage. A database that cannot be reached does not count.
        ///
        /// - Throws: `Failure.programTooOld`.
        func checkRelease() async throws(Failure) {
            do { try await migrator.checkRelease(client) } catch PostgreSQLMigrator.Failure.programTooOld {
                throw .programTooOld
            } catch {}
        }

        /// Closes the connections.
        func close() async { await client.shutDown() }

        /// Begins an epoch after commits may have been lost, and returns the database and its host.
        package static func beginEpoch(inDatabase address: String, at now: Date) async throws -> String {
            let database = try await SharedDatabase(at: address)
            do {
                try await PostgreSQLOrderStore(database.client).beginEpochAfterLoss(above: Int(now.timeIntervalSince1970))
            } catch {
                await database.close()
                throw Failure(error)
            }
            await database.close()
            return database.description
        }

        /// Whether an address contains a password, which other users of the machine could read in the list of processes.
        package static func containsPassword(_ address: String) -> Bool {
            (try? PostgreSQLConfiguration(address))?.hasPassword ?? false
        }
    #else
        init(
            at address: String, limits: LifecycleLimits = LifecycleLimits(), proofContents: (any ProofContentStore)? = nil
        ) async throws(Failure) {
            throw Failure.notBuilt
        }

        func fill(
            with demo: DemoDeliveries, now: Date, onProgress: @Sendable (SetupProgress) -> Void
        ) async throws(Failure) -> Date {
            throw Failure.notBuilt
        }

        func checkRelease() async throws(Failure) {}

        func close() async {}

        package static func beginEpoch(inDatabase address: String, at now: Date) async throws -> String { throw Failure.notBuilt }

        package static func containsPassword(_ address: String) -> Bool { false }
    #endif
}

extension SharedDatabase.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notBuilt:
            "This program was built without PostgreSQL. Install libpq (apt-get install libpq-dev) and build it with make."
        case .unavailable(let reason): "Cannot use the shared database: \(reason). Check --database and the server."
        case .programTooOld: "The shared database was changed by a later release: update this program."
        }
    }
}

#if PostgreSQL
    extension SharedDatabase.Failure {
        init(_ error: any Error) {
            switch error {
            case PostgreSQLMigrator.Failure.programTooOld: self = .programTooOld
            case let error as PostgreSQLError: self = .unavailable(error.description)
            default: self = .unavailable("\(error)")
            }
        }
    }
#endif
