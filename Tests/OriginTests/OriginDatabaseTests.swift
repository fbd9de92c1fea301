import Foundation
import GRDB
import OrderStorage
import OrderStorageSQLite
import TemporaryFolders
import Testing

@testable import Origin

@Suite("Origin database")
struct OriginDatabaseTests {
    let directory: TemporaryFolder
    let file: URL

    init() throws {
        directory = try TemporaryFolder()
        file = directory.url.appending(path: OriginDatabase.fileName)
    }

    @Test func `An order is stored and read whole`() async throws {
        let database = try OriginDatabase()
        let demo = DemoOrders(count: 30, seed: 9)

        _ = try await database.fill(with: demo, now: demoDate)

        for id in demo.ids {
            #expect(try await database.order(id) == demo.order(id))
        }
        #expect(try await database.orders().orderIDs() == Array(1...30))
        #expect(try await database.order(31) == nil)
    }

    @Test func `An empty file is migrated`() async throws {
        try Data().write(to: file)

        let database = try OriginDatabase(in: directory.url)

        #expect(try await database.orders().orderIDs() == [])
        try database.close()
    }

    @Test func `A confirmed write is durable`() async throws {
        let database = try OriginDatabase(in: directory.url)

        let synchronous = try await database.writer.writeWithoutTransaction { database in
            try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }

        let full = 2
        #expect(synchronous == full)
        try database.close()
    }

    @Test func `Closing moves the write-ahead log into the database file`() async throws {
        let log = directory.url.appending(path: OriginDatabase.fileName + "-wal")
        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoOrders(count: 5, seed: 1), now: demoDate)
        _ = try await database.orders().orderIDs()
        #expect(try Data(contentsOf: log).count > 0)

        try database.close()

        #expect((try? Data(contentsOf: log).count) ?? 0 == 0)
    }

    @Test func `Populating with the same demo preserves the rows and their date`() async throws {
        let demo = DemoOrders(count: 5, seed: 1)
        let first = try OriginDatabase(in: directory.url)
        _ = try await first.fill(with: demo, now: demoDate)
        try first.close()

        let second = try OriginDatabase(in: directory.url)
        let date = try await second.fill(with: demo, now: demoDate + 1_000)

        #expect(date == demoDate)
        try second.close()
    }

    @Test(arguments: [(8, 1), (5, 2), (3, 1), (0, 1)] as [(Int, UInt64)])
    func `Populating with another demo replaces the stored one`(count: Int, seed: UInt64) async throws {
        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoOrders(count: 5, seed: 1), now: demoDate)

        let other = DemoOrders(count: count, seed: seed)
        let date = try await database.fill(with: other, now: demoDate + 60.5)

        #expect(date == demoDate + 60)
        #expect(try await database.orders().orderIDs() == Array(other.ids))
        #expect(try await database.order(3) == (count < 3 ? nil : other.order(3)))
        try database.close()
    }

    @Test func `Orders that are not demo data are preserved`() async throws {
        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoOrders(count: 5, seed: 1), now: demoDate)
        try await change { try $0.execute(sql: "DELETE FROM demo") }

        _ = try await database.fill(with: DemoOrders(count: 9, seed: 1), now: demoDate)

        #expect(try await database.orders().orderIDs() == Array(1...5))
        try database.close()
    }

    @Test func `A file of a newer release is refused and unchanged`() async throws {
        try OriginDatabase(in: directory.url).close()
        try await change { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')") }
        let before = try Data(contentsOf: file)

        let error = #expect(throws: OriginError.self) { try OriginDatabase(in: directory.url) }

        #expect(error?.description.contains("newer release (from the future) and was not changed") == true)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func `A file that is not a database is refused and unchanged`() throws {
        let letter = Data("Dear Sir or Madam, this is no database.".utf8)
        try letter.write(to: file)

        let error = #expect(throws: OriginError.self) { try OriginDatabase(in: directory.url) }

        #expect(error?.description.contains("move it to another place") == true)
        #expect(try Data(contentsOf: file) == letter)
    }

    /// Changes the file through a separate connection.
    private func change(_ update: @Sendable (Database) throws -> Void) async throws {
        let queue = try DatabaseQueue(path: file.path)
        try await queue.write(update)
        try queue.close()
    }
}

extension OriginDatabase {
    /// Returns a stored order as it is published.
    fileprivate func order(_ id: Int) async throws -> Order? { try await orders().order(id).map { Order(id: $0.id, $0.content) } }
}
