import GRDB
import OrderLifecycle
import OrderStorage
import OrderStorageConformance
import Synchronization
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

    @Test func `The last position of each courier is found without reading all positions`() async throws {
        let store = try SQLiteOrderStore.inMemory()
        let statements = Mutex<[String]>([])
        try await store.writer.write { $0.trace { event in statements.withLock { $0.append("\(event)") } } }

        _ = try await store.lastPositions()

        let selection = try #require(statements.withLock { $0.first { $0.contains("courierPositions") } })
        let plan = try await store.writer.read {
            try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN \(selection)").map { $0["detail"] as String }
        }
        #expect(plan.count { $0.hasPrefix("SEARCH courierPositions USING PRIMARY KEY") } == 2)
        #expect(!plan.contains { $0.hasPrefix("SCAN courierPositions") })
    }

    @Test func `An event cannot be changed`() throws {
        let database = try SQLiteOrderStore.inMemory().writer

        try database.write { database in
            try database.execute(sql: "INSERT INTO orderEvents (orderID, number, event) VALUES (1, 1, '{}')")
            #expect(throws: DatabaseError.self) { try database.execute(sql: "UPDATE orderEvents SET event = '[]'") }
        }
    }
}
