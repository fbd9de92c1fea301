import GRDB
import OrderLifecycle
import OrderStorage
import OrderStorageConformance
import Testing

@testable import OrderStorageSQLite

@Suite("SQLite order store")
struct SQLiteOrderStoreTests {
    private static let conformance = OrderStoreConformance { try makeStore() }

    @Test(arguments: conformance.cases) func `The SQLite store passes the conformance suite`(
        _ example: OrderStoreConformance.Case
    ) async throws {
        try await Self.conformance.check(example)
    }

    @Test func `Without room for a file that would be lost no command is accepted`() async throws {
        let store = SQLiteOrderStore(try Self.makeDatabase(), isStored: false)

        let error = await #expect(throws: DatabaseError.self) { try await store.prune(OrderRetention(), at: .init(milliseconds: 0)) }

        #expect(error?.resultCode == .SQLITE_FULL)
    }

    @Test func `An event cannot be changed`() throws {
        let database = try Self.makeDatabase()

        try database.write { database in
            try database.execute(sql: "INSERT INTO orderEvents (orderID, number, event) VALUES (1, 1, '{}')")
            #expect(throws: DatabaseError.self) { try database.execute(sql: "UPDATE orderEvents SET event = '[]'") }
        }
    }

    private static func makeStore() throws -> SQLiteOrderStore { SQLiteOrderStore(try makeDatabase()) }

    private static func makeDatabase() throws -> DatabaseQueue {
        let database = try DatabaseQueue()
        var migrator = DatabaseMigrator()
        // The tables of earlier releases, which the store's migration replaces.
        migrator.registerMigration("orders") { database in
            try database.execute(
                sql: """
                    CREATE TABLE orders (id INTEGER PRIMARY KEY, title TEXT, info TEXT, price TEXT, currency TEXT, itemCount INTEGER,
                        deliveryDate TEXT, address TEXT, radius REAL, radiusUnit TEXT, latitude REAL, longitude REAL, items TEXT);
                    CREATE TABLE demo (id INTEGER PRIMARY KEY);
                    """)
        }
        SQLiteOrderStore.registerMigrations(in: &migrator)
        try migrator.migrate(database)
        return database
    }
}
