import GRDB
import OrderLifecycle
import OrderStorage
import OrderStorageConformance
import Testing

@testable import OrderStorageSQLite

@Suite("SQLite order store")
struct SQLiteOrderStoreTests {
    private static let conformance = OrderStoreConformance { try SQLiteOrderStore.inMemory() }

    @Test(arguments: conformance.cases) func `The SQLite store passes the conformance suite`(
        _ example: OrderStoreConformance.Case
    ) async throws {
        try await Self.conformance.check(example)
    }

    @Test func `Without room for a file that would be lost no command is accepted`() async throws {
        let store = SQLiteOrderStore(try SQLiteOrderStore.inMemory().writer, isStored: false)

        let error = await #expect(throws: DatabaseError.self) { try await store.prune(OrderRetention(), at: .init(milliseconds: 0)) }

        #expect(error?.resultCode == .SQLITE_FULL)
    }

    @Test func `An event cannot be changed`() throws {
        let database = try SQLiteOrderStore.inMemory().writer

        try database.write { database in
            try database.execute(sql: "INSERT INTO orderEvents (orderID, number, event) VALUES (1, 1, '{}')")
            #expect(throws: DatabaseError.self) { try database.execute(sql: "UPDATE orderEvents SET event = '[]'") }
        }
    }
}
