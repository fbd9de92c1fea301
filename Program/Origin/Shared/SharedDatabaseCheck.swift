package import OrderStorage
import OrderStoragePostgreSQL
import PostgreSQLClient

/// A verification of a database that origins share, which changes nothing and may run beside them.
///
/// Each store is verified in a snapshot of its own.
package struct SharedDatabaseCheck: Sendable {
    /// A part of the database.
    package enum Store: String, CaseIterable, Sendable {
        /// The tables themselves. If they are those of another release, the others cannot be verified.
        case schema
        case orders, verdicts, changes, proofs, uploads
    }

    /// The result of the verification of a store.
    package struct Report: Hashable, Sendable {
        /// The problems as text for users; empty if none was found.
        package var problems: [String] = []
        /// The limits of the verification; nil if it covers all values.
        package var limitation: String?
    }

    /// Receives the number of verified rows and of all.
    package typealias Progress = @Sendable (_ completed: Int, _ total: Int) -> Void

    #if PostgreSQL
        private let client: PostgreSQLClient
        private let orders: PostgreSQLOrderVerification

        /// Prepares a verification. It connects when the first store is verified.
        ///
        /// - Parameters:
        ///   - address: A connection URI or pairs of names and values, as libpq reads them.
        ///   - proofContents: The store of the bytes of proofs; nil for the database.
        package init(of address: String, proofContents: (any ProofContentStore)? = nil) throws(SharedDatabase.Failure) {
            do { client = PostgreSQLClient(try PostgreSQLConfiguration(address)) } catch { throw SharedDatabase.Failure(error) }
            orders = PostgreSQLOrderVerification(client, contents: proofContents)
        }

        /// Verifies a store.
        ///
        /// - Throws: `SharedDatabase.Failure`, `CancellationError`, the errors of the store of proofs.
        package func report(on store: Store, progress: @escaping Progress = { _, _ in }) async throws -> Report {
            do {
                switch store {
                case .schema: return Report(try await SharedDatabase.makeMigrator().status(client))
                case .orders: return Report(try await orders.report(on: .orders, progress: progress))
                case .verdicts: return Report(try await orders.report(on: .verdicts, progress: progress))
                case .changes: return Report(try await orders.report(on: .changes, progress: progress))
                case .proofs: return Report(try await orders.report(on: .proofs, progress: progress))
                case .uploads: return Report(problems: try await PostgreSQLUploadVerification(client).problems())
                }
            } catch PostgreSQLError.refused(let rejection) where rejection.state.isDamage {
                return Report(problems: ["the database cannot read it: \(rejection.message) (\(rejection.state.rawValue))"])
            } catch let error as PostgreSQLError {
                throw SharedDatabase.Failure(error)
            }
        }

        /// Closes the connections.
        package func close() async { await client.shutDown() }
    #else
        package init(of address: String, proofContents: (any ProofContentStore)? = nil) throws(SharedDatabase.Failure) { throw .notBuilt }

        package func report(on store: Store, progress: @escaping Progress = { _, _ in }) async throws -> Report {
            throw SharedDatabase.Failure.notBuilt
        }

        package func close() async {}
    #endif
}

#if PostgreSQL
    extension SharedDatabaseCheck.Report {
        fileprivate init(_ report: PostgreSQLOrderVerification.Report) {
            let count = report.unverifiedCount
            self.init(
                problems: report.problems, limitation: count > 0 ? "proofs in an object store that --blobs does not name: \(count)" : nil)
        }

        fileprivate init(_ status: PostgreSQLMigrator.Status) {
            let (missing, unknown) = (status.missing.joined(separator: ", "), status.unknown.joined(separator: ", "))
            if status.isProgramExcluded {
                self.init(problems: ["a later release has changed the tables (\(unknown)): update this program"])
            } else if !missing.isEmpty {
                self.init(problems: ["tables of this release are missing (\(missing)): a server of this release adds them when it starts"])
            } else {
                self.init(limitation: unknown.isEmpty ? nil : "changes of a later release: \(unknown)")
            }
        }
    }
#endif
