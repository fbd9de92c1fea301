#if PostgreSQL
    package import OrderStorage
    package import PostgreSQLClient

    /// A verification of the tables of orders, which changes nothing and may run beside the programs that use them.
    package struct PostgreSQLOrderVerification: Sendable {
        /// A part of the tables, which is verified in one snapshot.
        package enum Part: String, CaseIterable, Sendable {
            /// Orders, their events and their reports.
            case orders
            case verdicts
            /// The change feed.
            case changes
            /// Proofs and their incomplete uploads.
            case proofs
        }

        /// The result of the verification of a part.
        package struct Report: Hashable, Sendable {
            /// The problems as text for users; empty if none was found.
            package var problems: [String] = []
            /// The number of proofs that could not be verified, because their bytes are in an object store that was not passed.
            package var unverifiedCount = 0

            package init(problems: [String] = [], unverifiedCount: Int = 0) {
                self.problems = problems
                self.unverifiedCount = unverifiedCount
            }
        }

        /// Receives the number of verified rows and of all.
        package typealias Progress = @Sendable (_ completed: Int, _ total: Int) -> Void

        private let client: PostgreSQLClient
        private let contents: (any ProofContentStore)?

        /// - Parameters:
        ///   - client: A client of a database to which the migrations of `PostgreSQLOrderStore` have been applied.
        ///   - contents: The store of the bytes of proofs apart from the database; nil for none.
        package init(_ client: PostgreSQLClient, contents: (any ProofContentStore)? = nil) {
            self.client = client
            self.contents = contents
        }

        /// Verifies a part.
        ///
        /// - Throws: `PostgreSQLError`, `CancellationError`, the errors of the store of proofs.
        package func report(on part: Part, progress: @escaping Progress = { _, _ in }) async throws -> Report {
            try await client.withSnapshot { [contents] snapshot in
                switch part {
                case .orders:
                    var verification = try await OrderVerification(of: snapshot, progress)
                    return Report(problems: try await verification.problems())
                case .verdicts: return Report(problems: try await VerdictVerification(snapshot, progress).problems())
                case .changes: return Report(problems: try await ChangeVerification(snapshot).problems())
                case .proofs: return try await ProofVerification(snapshot, contents, progress).report()
                }
            }
        }
    }

    extension PostgreSQLSnapshot {
        /// Returns the number of rows of a table.
        func count(of table: String) async throws -> Int {
            try await read("SELECT count(*) AS count FROM \(sql: table)").first?.value("count") ?? 0
        }

        /// Returns the ids of orders that do not exist, in ascending order.
        func missingOrders(of ids: Set<Int>) async throws -> [Int] {
            guard !ids.isEmpty else { return [] }
            let rows = try await read(
                """
                SELECT id FROM unnest(\(array: ids.map(String.init))::bigint[]) AS named (id)
                WHERE NOT EXISTS (SELECT 1 FROM orders WHERE orders.id = named.id) ORDER BY id
                """)
            return try rows.map { try $0.value("id") }
        }
    }
#endif
