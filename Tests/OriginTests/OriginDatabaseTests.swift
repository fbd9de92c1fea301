import Foundation
import GRDB
import OrderAPI
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import SQLiteFiles
import ServerStartup
import Synchronization
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
        #expect(try await database.orderIDs() == Array(1...30))
        #expect(try await database.order(31) == nil)
    }

    @Test func `An empty file is migrated`() async throws {
        try Data().write(to: file)

        let database = try OriginDatabase(in: directory.url)

        #expect(try await database.orderIDs() == [])
        try database.close()
    }

    @Test func `A confirmed write is durable`() async throws {
        let database = try OriginDatabase(in: directory.url)

        let settings = try await database.writer.writeWithoutTransaction { database in
            try ["synchronous", "fullfsync"].map { try Int.fetchOne(database, sql: "PRAGMA \($0)") }
        }

        let full = 2
        #expect(settings == [full, 1])
        try database.close()
    }

    @Test(.timeLimit(.minutes(10))) func `Reads that overlap all the time do not let the write-ahead log grow without end`() async throws {
        let (limit, size, count) = (5 << 20, 1 << 20, 40)
        let log = directory.url.appending(path: OriginDatabase.fileName + "-wal")
        let database = try OriginDatabase(in: directory.url, logLimit: limit)
        try await database.writer.write { try $0.execute(sql: "CREATE TABLE contents (content BLOB)") }
        let sql = """
            WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000)
            SELECT COUNT(*) FROM grdb_migrations, numbers
            """
        let readers = (1...3).map { _ in
            Task {
                while !Task.isCancelled { _ = try await database.writer.read { try Int.fetchOne($0, sql: sql) } }
            }
        }

        var longest = 0
        for _ in 0..<count {
            try await database.writer.write { try $0.execute(sql: "INSERT INTO contents VALUES (zeroblob(?))", arguments: [size]) }
            longest = max(longest, try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int ?? 0)
        }

        for reader in readers { reader.cancel() }
        for reader in readers { _ = await reader.result }
        #expect(longest > limit / 2 && longest < 4 * limit)
        try database.close()
    }

    @Test func `Closing moves the write-ahead log into the database file`() async throws {
        let log = directory.url.appending(path: OriginDatabase.fileName + "-wal")
        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoOrders(count: 5, seed: 1), now: demoDate)
        _ = try await database.orderIDs()
        #expect(try Data(contentsOf: log).count > 0)

        try database.close()

        #expect((try? Data(contentsOf: log).count) ?? 0 == 0)
    }

    @Test(arguments: [(OriginDatabase.checksumLimit, false), (4_096, true)])
    func `Only a file within the limit is closed with a checksum`(limit: Int, isStructureOnly: Bool) throws {
        let database = try OriginDatabase(in: directory.url)

        try database.close(checksumLimit: limit)

        let report = OriginCheck.report(on: file)
        #expect(report.problems == [])
        #expect(report.isStructureOnly == isStructureOnly)
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
        #expect(try await database.orderIDs() == Array(other.ids))
        #expect(try await database.order(3) == (count < 3 ? nil : other.order(3)))
        try database.close()
    }

    @Test(arguments: [0, 5]) func `Without a chosen number there are as many orders as at the last start`(count: Int) async throws {
        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoOrders(count: count, seed: 1), now: demoDate)

        let date = try await database.fill(with: DemoOrders(count: 9, seed: 1), isDefaultCount: true, now: demoDate + 60)

        #expect(date == demoDate)
        #expect(try await database.orderIDs() == Array(1..<count + 1))
        try database.close()
    }

    @Test func `The first start without a chosen number stores the default`() async throws {
        let database = try OriginDatabase(in: directory.url)

        _ = try await database.fill(with: DemoOrders(count: 9, seed: 1), isDefaultCount: true, now: demoDate)

        #expect(try await database.orderIDs() == Array(1...9))
        try database.close()
    }

    @Test func `Orders that are not demo data are preserved`() async throws {
        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoOrders(count: 5, seed: 1), now: demoDate)
        try await change { try $0.execute(sql: "DELETE FROM demo") }

        _ = try await database.fill(with: DemoOrders(count: 9, seed: 1), now: demoDate)

        #expect(try await database.orderIDs() == Array(1...5))
        try database.close()
    }

    @Test func `Storing many orders reports progress, and finding them stored none`() async throws {
        let demo = DemoOrders(count: 2_500, seed: 1)
        let steps = Mutex<[SetupProgress]>([])
        let database = try OriginDatabase(in: directory.url) { _ in Issue.record("A new database needs no upgrade.") }

        _ = try await database.fill(with: demo, now: demoDate) { step in steps.withLock { $0.append(step) } }
        _ = try await database.fill(with: demo, now: demoDate) { _ in Issue.record("All orders were stored.") }

        let stored = [1_000, 2_000, 2_500].map { SetupProgress(step: .orders, completed: $0, total: 2_500) }
        let indexed = (1...4).map { SetupProgress(step: .indexes, completed: $0, total: 4) }
        #expect(steps.withLock { $0 } == stored + indexed)
        try database.close()
    }

    @Test(arguments: [true, false])
    func `Orders of a release without their life are migrated, and can be carried out`(areDemo: Bool) async throws {
        let demo = DemoOrders(count: 3, seed: 1)
        let earlier = try DatabaseQueue(path: file.path)
        try OriginDatabase.migrator().migrate(earlier, upTo: "sols")
        try await earlier.write { database in
            for order in demo.ids.map(demo.order) {
                let location = order.location
                try database.execute(
                    sql: "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        order.id, order.title, order.info, order.price, order.currency, order.itemCount, order.deliveryDate,
                        location.address,
                        location.radius, location.radiusUnit, location.latitude, location.longitude,
                        "[" + order.items.map { "[\($0.id),\"\($0.quantity)\",\"\($0.unit)\"]" }.joined(separator: ",") + "]",
                    ])
            }
            if areDemo { _ = try demo.metadata(now: demoDate).save(in: .orders, database) }
        }
        try earlier.close()

        let steps = Mutex<[SetupProgress]>([])
        let database = try OriginDatabase(in: directory.url) { step in steps.withLock { $0.append(step) } }
        #expect(steps.withLock { $0 } == (0...4).map { SetupProgress(step: .upgrade, completed: $0, total: 4) })
        let store = database.orders()
        let sender = OrderLifecycle.Sender(PersonID(rawValue: "mina"), role: .courier, actionTime: Timestamp(demoDate))
        let claim = OrderStoreCommand(.lifecycle(order: 2, .claim), from: sender, key: "k", fingerprint: "")

        for id in demo.ids { #expect(try await database.order(id) == demo.order(id)) }
        #expect(try await store.openOrderIDs(demoOnly: true) == (areDemo ? [1, 2, 3] : []))
        #expect(try await store.orders(BoardQuery(.open, text: demo.order(1).title)).orders.map(\.id).contains(1))
        #expect(try await store.perform(claim, at: Timestamp(demoDate)).verdict.outcome == .accepted(events: [2]))
        #expect(try await store.openOrderIDs(demoOnly: false) == [1, 3])
        try database.close()
        #expect(OriginCheck.report(on: file).problems == [])
    }

    @Test func `Of orders and proofs that differ from their events and digests each is found`() async throws {
        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoOrders(count: 5, seed: 1), now: demoDate)
        try database.close()
        for (change, problem) in [
            ("UPDATE orders SET state = 'cancelled' WHERE id = 2", "order 2: the state differs from the events"),
            ("UPDATE orders SET fence = 7 WHERE id = 3", "order 3: the version differs from the events"),
            ("DELETE FROM orderEvents WHERE orderID = 4", "order 4: event 1 is missing"),
            ("DELETE FROM orders WHERE id = 5", "order 5 has events and no content"),
            ("UPDATE stateCounts SET count = 3", "the number of orders in the state \"cancelled\" is wrong"),
        ] {
            try await self.change { try $0.execute(sql: change) }
            #expect(OriginCheck.report(on: file).problems.contains(problem), "\(change)")
        }
        try await change { database in
            try database.execute(
                sql: "INSERT INTO proofs VALUES (1, 'mina', ?, 'note', 'text/plain', 1, ?, 0, x'00')",
                arguments: [String(repeating: "a", count: 64), String(repeating: "b", count: 64)])
        }
        #expect(OriginCheck.report(on: file).problems.contains { $0.hasPrefix("order 1: the proof aaaaaaaaaaaa…") })
    }

    @Test func `A file of a newer release is refused and unchanged`() async throws {
        try OriginDatabase(in: directory.url).close()
        try await change { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')") }
        let before = try Data(contentsOf: file)

        let error = #expect(throws: OriginError.self) { try OriginDatabase(in: directory.url) }

        #expect(error?.description.contains("newer release (from the future) and was not changed") == true)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func `Beside a server of an earlier release a command leaves the tables unchanged`() async throws {
        let earlier = try DatabaseQueue(path: file.path)
        try OriginDatabase.migrator().migrate(earlier, upTo: "imports")
        try earlier.close()
        let before = try Data(contentsOf: file)
        let lock = try DirectoryLock(of: directory.url, fileName: LocalDatabase.lockName)

        let error = await #expect(throws: OriginError.self) { _ = try await OriginPeople(in: .directory(directory.url)) }

        #expect(error?.description.contains("restart the server") == true)
        #expect(try Data(contentsOf: file) == before)
        lock.release()
        try await OriginPeople(in: .directory(directory.url)).close()
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
