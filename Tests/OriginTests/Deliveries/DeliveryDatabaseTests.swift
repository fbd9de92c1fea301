import Foundation
import GRDB
import HTTPFieldValues
import HTTPTypes
import Synchronization
import TemporaryFolders
import Testing

@testable import Origin

@Suite("Deliveries in the database")
struct DeliveryDatabaseTests {
    @Test func `A distant page is found by row id without OFFSET`() async throws {
        let database = try await filled(300)
        let statements = Mutex<[String]>([])

        try await database.writer.write { database in
            database.trace { event in statements.withLock { $0.append("\(event)") } }
        }
        _ = try await database.deliveries(DeliveryPage(offset: 290, limit: 20))

        let selection = try #require(statements.withLock { $0.first { $0.contains("ORDER BY deliveries.id") } })
        let plan = try await database.writer.read {
            try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN \(selection)", arguments: [290, 20]).map { $0["detail"] as String }
        }
        #expect(plan.first == "SEARCH deliveries USING INTEGER PRIMARY KEY (rowid>?)")
        #expect(plan.count == 2 && !selection.contains("OFFSET"))
    }

    @Test func `Populating with the same demo preserves the deliveries and their date`() async throws {
        let database = try await filled(30)
        let demo = DemoDeliveries(count: 30, seed: 1)

        let date = try await database.fill(with: demo, now: demoDate + 60) { _ in Issue.record("Nothing had to be stored.") }

        #expect(date == demoDate)
    }

    @Test(arguments: [(20, true), (40, true), (0, true), (30, false)])
    func `Another count preserves matching rows and another seed replaces all`(count: Int, isSameSeed: Bool) async throws {
        let database = try await filled(30)
        try await database.writer.write { try $0.execute(sql: "UPDATE deliveries SET recipient = 'Nobody' WHERE id = 3") }
        try await setFavourite(3, in: database)

        let demo = DemoDeliveries(count: count, seed: isSameSeed ? 1 : 2)
        let date = try await database.fill(with: demo, now: demoDate + 60.5)

        let stored = try await database.deliveries(DeliveryPage(offset: 0, limit: 100))
        let isKept = isSameSeed && count > 3
        #expect(date == demoDate + 60)
        #expect(stored.map(\.delivery.id) == Array(demo.ids))
        #expect(stored.filter { $0.delivery.recipient == "Nobody" }.map(\.delivery.id) == (isKept ? [3] : []))
        #expect(try await database.favourite(ofDelivery: 3).isFavourite == isKept)
    }

    @Test func `Deliveries are stored in batches and an interrupted run resumes`() async throws {
        let (database, count) = (try OriginDatabase(), OriginDatabase.seedBatchSize + 10)
        let demo = DemoDeliveries(count: count, seed: 1)
        let steps = Mutex<[SetupProgress]>([])

        _ = try await database.fill(with: DemoDeliveries(count: 5, seed: 1), now: demoDate)
        try await database.writer.write { try $0.execute(sql: "UPDATE deliveries SET recipient = 'Nobody' WHERE id < 5") }
        _ = try await database.fill(with: demo, now: demoDate) { step in steps.withLock { $0.append(step) } }

        let stored = [OriginDatabase.seedBatchSize + 5, count]
        #expect(steps.withLock { $0 } == stored.map { SetupProgress(step: .deliveries, completed: $0, total: count) })
        let first = try await database.deliveries(DeliveryPage(offset: 0, limit: 6)).map(\.delivery.recipient)
        #expect(first == Array(repeating: "Nobody", count: 5) + [demo.delivery(5).recipient])
        let end = try await database.deliveries(DeliveryPage(offset: count - 10, limit: 100)).map(\.delivery)
        #expect(end == (count - 10..<count).map(demo.delivery))
    }

    @Test func `A database of the release before is migrated with its orders`() async throws {
        let directory = try TemporaryFolder()
        let before = try DatabaseQueue(path: directory.url.appending(path: OriginDatabase.fileName).path)
        try OriginDatabase.migrator().migrate(before, upTo: "orders")
        try before.close()

        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoDeliveries(count: 3, seed: 1), now: demoDate)

        #expect(try await database.deliveries(DeliveryPage(offset: 0, limit: 9)).count == 3)
        try database.close()
    }

    @Test(arguments: ["recipient = NULL", "feeCents = NULL", "pickupTime = NULL", "latitude = NULL"])
    func `A value of another type in a damaged database is an error`(damage: String) async throws {
        let database = try await filled(30)
        try await database.writer.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET sql = replace(replace(sql, 'NOT NULL', ''), 'STRICT', '') WHERE name = 'deliveries';
                    PRAGMA writable_schema = RESET;
                    PRAGMA ignore_check_constraints = ON;
                    UPDATE deliveries SET \(damage);
                    """)
        }

        let error = await #expect(throws: DatabaseError.self) { try await database.deliveries(DeliveryPage(offset: 0, limit: 30)) }

        #expect(error?.resultCode == .SQLITE_CORRUPT)
    }

    private func filled(_ count: Int) async throws -> OriginDatabase {
        let database = try OriginDatabase()
        _ = try await database.fill(with: DemoDeliveries(count: count, seed: 1), now: demoDate)
        return database
    }

    private func setFavourite(_ id: Int, in database: OriginDatabase) async throws {
        let action = FavouriteAction(isFavourite: true, timestamp: ActionTimestamp(demoDate))
        let key = try IdempotencyKey([.idempotencyKey: "\"\(id)\""])
        _ = try await database.perform(FavouriteRequest(action: action, delivery: id, key: key, fingerprint: "\(id)"), at: demoDate)
    }
}
