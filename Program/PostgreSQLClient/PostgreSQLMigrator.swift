#if PostgreSQL
    /// The changes of a database's tables from release to release, forward only.
    ///
    /// Each migration is one transaction under a lock of the database, so nodes that start together apply it once. Nodes of earlier releases go on beside it
    /// unless it excludes them.
    package struct PostgreSQLMigrator: Sendable {
        package enum Failure: Error, Hashable {
            /// The tables are those of a later release, in which this program would do damage.
            case programTooOld
        }

        /// Takes a lock whose key is "lading" in ASCII.
        private static let lock: PostgreSQLStatement = "SELECT pg_advisory_xact_lock(\(0x6C_6164_696E_67))"

        private struct Migration {
            let name: String
            let excludesEarlier: Bool
            let statements: [PostgreSQLStatement]
        }

        private var migrations: [Migration] = []

        package init() {}

        /// Adds a migration after the previous ones.
        ///
        /// - Parameter excludesEarlier: Whether programs without this migration must end.
        package mutating func register(_ name: String, excludesEarlier: Bool = false, _ statements: [PostgreSQLStatement]) {
            migrations.append(Migration(name: name, excludesEarlier: excludesEarlier, statements: statements))
        }

        /// Applies the missing migrations.
        ///
        /// - Throws: `Failure`, `PostgreSQLError`.
        package func migrate(_ client: PostgreSQLClient) async throws {
            if try await missingMigrations(client).isEmpty { return try await checkRelease(client) }
            try await client.writeWithoutLimit([
                Self.lock,
                """
                CREATE TABLE IF NOT EXISTS lading_migrations (
                    name text PRIMARY KEY,
                    excludes_earlier boolean NOT NULL,
                    applied timestamptz NOT NULL DEFAULT now())
                """,
            ])
            try await checkRelease(client)
            for migration in try await missingMigrations(client) {
                let record: PostgreSQLStatement =
                    "INSERT INTO lading_migrations (name, excludes_earlier) VALUES (\(migration.name), \(migration.excludesEarlier))"
                do {
                    try await client.writeWithoutLimit([Self.lock, record] + migration.statements)
                } catch PostgreSQLError.refused(let rejection) where rejection.constraint == "lading_migrations_pkey" {
                    // Another node has applied it meanwhile.
                }
            }
        }

        private func missingMigrations(_ client: PostgreSQLClient) async throws -> [Migration] {
            do {
                let applied = try await client.read("SELECT name FROM lading_migrations").map { try $0.value("name", as: String.self) }
                return migrations.filter { !applied.contains($0.name) }
            } catch PostgreSQLError.refused(let rejection) where rejection.state == .undefinedTable {
                return migrations
            }
        }

        /// The migrations of a database in comparison with those of this program.
        package struct Status: Hashable, Sendable {
            /// The migrations of this program that were not applied.
            package let missing: [String]
            /// The applied migrations of later releases.
            package let unknown: [String]
            /// Whether a later release has excluded this program.
            package let isProgramExcluded: Bool

            package init(missing: [String], unknown: [String], isProgramExcluded: Bool) {
                self.missing = missing
                self.unknown = unknown
                self.isProgramExcluded = isProgramExcluded
            }
        }

        /// Returns the status of a database, without changing it.
        ///
        /// - Throws: `PostgreSQLError`.
        package func status(_ client: PostgreSQLClient) async throws -> Status {
            let names = migrations.map(\.name)
            do {
                let rows = try await client.read("SELECT name, excludes_earlier FROM lading_migrations ORDER BY applied, name")
                let applied = try rows.map { row -> (name: String, excludesEarlier: Bool) in
                    (try row.value("name"), try row.value("excludes_earlier"))
                }
                let unknown = applied.filter { !names.contains($0.name) }
                return Status(
                    missing: names.filter { name in !applied.contains { $0.name == name } }, unknown: unknown.map(\.name),
                    isProgramExcluded: unknown.contains(where: \.excludesEarlier))
            } catch PostgreSQLError.refused(let rejection) where rejection.state == .undefinedTable {
                return Status(missing: names, unknown: [], isProgramExcluded: false)
            }
        }

        /// Checks that no later release has excluded this program.
        ///
        /// - Throws: `Failure`, `PostgreSQLError`.
        package func checkRelease(_ client: PostgreSQLClient) async throws {
            let names = migrations.map(\.name)
            let unknown = try await client.read(
                "SELECT name FROM lading_migrations WHERE excludes_earlier AND name <> ALL (\(array: names)::text[]) LIMIT 1")
            guard unknown.isEmpty else { throw Failure.programTooOld }
        }
    }
#endif
