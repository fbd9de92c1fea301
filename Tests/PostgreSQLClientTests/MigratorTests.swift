import PostgreSQLClient
import PostgreSQLFixtures
import Testing

@Suite("Migrations of PostgreSQL")
struct MigratorTests {
    private let current: PostgreSQLMigrator
    /// A release that adds to the tables, beside which the current one runs.
    private let later: PostgreSQLMigrator
    /// A release that the current one cannot run beside.
    private let incompatible: PostgreSQLMigrator
    private let client: PostgreSQLClient

    init() async throws {
        var migrator = PostgreSQLMigrator()
        migrator.register("one", ["CREATE TABLE one (id bigint)"])
        current = migrator
        migrator.register("two", ["ALTER TABLE one ADD COLUMN name text"])
        later = migrator
        migrator.register("three", excludesEarlier: true, ["ALTER TABLE one DROP COLUMN id"])
        incompatible = migrator
        client = PostgreSQLClient(try PostgreSQLConfiguration(try await PostgreSQLServer.makeDatabase()))
    }

    @Test func `A program that a later release excludes does not start`() async throws {
        try await current.migrate(client)
        try await later.migrate(client)
        try await current.migrate(client)
        try await incompatible.migrate(client)

        await #expect(throws: PostgreSQLMigrator.Failure.programTooOld) { try await current.migrate(client) }
        await #expect(throws: PostgreSQLMigrator.Failure.programTooOld) { try await later.checkRelease(client) }
        try await incompatible.migrate(client)
    }

    @Test func `The status of a database names missing and unknown migrations, and changes nothing`() async throws {
        let empty = try await later.status(client)

        #expect(empty == .init(missing: ["one", "two"], unknown: [], isProgramExcluded: false))
        #expect(try await later.status(client) == empty)
        try await current.migrate(client)
        #expect(try await later.status(client) == .init(missing: ["two"], unknown: [], isProgramExcluded: false))
        try await later.migrate(client)
        #expect(try await later.status(client) == .init(missing: [], unknown: [], isProgramExcluded: false))
        #expect(try await current.status(client) == .init(missing: [], unknown: ["two"], isProgramExcluded: false))
        try await incompatible.migrate(client)
        #expect(try await current.status(client) == .init(missing: [], unknown: ["two", "three"], isProgramExcluded: true))
    }
}
