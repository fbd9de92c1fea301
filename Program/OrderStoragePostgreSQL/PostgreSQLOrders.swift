package import struct Foundation.Date
package import OrderLifecycle
package import OrderStorage
import PostgreSQLClient

/// The orders of a PostgreSQL database, whose tables are created or upgraded when it is opened.
package struct PostgreSQLOrders: Sendable {
    /// The reasons why a database cannot be opened. Their text includes a remedy, and no password.
    package enum Failure: Error, Hashable {
        /// The program was built without the client library.
        case notBuilt
        case unavailable(String)
        /// A later release has changed the tables.
        case programTooOld
    }

    package let store: any OrderImportStore
    /// The database and its host, without a password.
    package let description: String

    #if PostgreSQL
        private let client: PostgreSQLClient
        private let migrator: PostgreSQLMigrator

        /// Connects to a database.
        ///
        /// - Parameter address: A connection URI or pairs of names and values, as libpq reads them.
        /// - Throws: `Failure`.
        package init(at address: String, limits: LifecycleLimits = LifecycleLimits()) async throws {
            do {
                client = PostgreSQLClient(try PostgreSQLConfiguration(address))
                var migrator = PostgreSQLMigrator()
                PostgreSQLOrderStore.registerMigrations(in: &migrator)
                self.migrator = migrator
                do { try await migrator.migrate(client) } catch {
                    await client.shutDown()
                    throw error
                }
            } catch let error as PostgreSQLError {
                throw Failure.unavailable(error.description)
            } catch PostgreSQLMigrator.Failure.programTooOld {
                throw Failure.programTooOld
            }
            store = PostgreSQLOrderStore(client, limits: limits)
            description = client.configuration.description
        }

        /// Checks that no later release has changed the tables so that this one would do damage. A database that cannot be reached does not count.
        ///
        /// - Throws: `Failure.programTooOld`.
        package func checkRelease() async throws(Failure) {
            do { try await migrator.checkRelease(client) } catch PostgreSQLMigrator.Failure.programTooOld {
                throw .programTooOld
            } catch {}
        }

        /// Begins an epoch after commits may have been lost.
        package func beginEpoch(at now: Date) async throws {
            try await PostgreSQLOrderStore(client).beginEpochAfterLoss(at: Int(now.timeIntervalSince1970))
        }

        /// Closes the connections.
        package func close() async { await client.shutDown() }

        /// Whether an address contains a password, which other users of the machine could read in the list of processes.
        package static func containsPassword(_ address: String) -> Bool {
            (try? PostgreSQLConfiguration(address))?.hasPassword ?? false
        }
    #else
        package init(at address: String, limits: LifecycleLimits = LifecycleLimits()) async throws { throw Failure.notBuilt }

        package func checkRelease() async throws(Failure) {}

        package func beginEpoch(at now: Date) async throws {}

        package func close() async {}

        package static func containsPassword(_ address: String) -> Bool { false }
    #endif
}

extension PostgreSQLOrders.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notBuilt:
            "This program was built without PostgreSQL. Install libpq (apt-get install libpq-dev) and build it with make."
        case .unavailable(let reason): "Cannot use the database of the orders: \(reason). Check --database and the server."
        case .programTooOld: "The database of the orders was changed by a later release: update this program."
        }
    }
}

#if PostgreSQL
    extension PostgreSQLError: UnavailableStoreError {
        package var isUnavailable: Bool {
            switch self {
            case .unreachable, .outcomeUnknown, .interrupted, .timedOut, .poolExhausted, .shutDown: true
            case .refused(let refusal): refusal.state == .queryCanceled
            case .invalidAddress, .unexpectedValue: false
            }
        }

        package var isDiskFull: Bool {
            if case .refused(let refusal) = self { refusal.state == .diskFull } else { false }
        }
    }
#endif
