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

    @Test func `A command that arrives while the bytes of old proofs are deleted does not wait for all of them`() async throws {
        let (store, now) = (try SQLiteOrderStore.inMemory(), Timestamp(milliseconds: 1_800_000_000_000))
        _ = try await store.perform(Self.creation(at: now), at: now)
        let mina = OrderLifecycle.Sender(PersonID(rawValue: "mina"), role: .courier, actionTime: now)
        let claim = OrderStoreCommand(.lifecycle(order: 1, .claim), from: mina, key: "k", fingerprint: "")
        let isClaimed = Mutex(false)
        let remainingCount = Mutex<Int?>(nil)
        // Claims the order in the next transaction after the first one that deletes bytes.
        let onDeletion = DatabaseFunction("onDeletion", argumentCount: 0) { _ in
            let isFirst = isClaimed.withLock { isClaimed in
                defer { isClaimed = true }
                return !isClaimed
            }
            guard isFirst else { return nil }
            store.writer.asyncWrite(
                { database in
                    _ = try store.apply(claim, at: now, in: database)
                    return try Int.fetchOne(database, sql: "SELECT COUNT(content) FROM proofs")
                }, completion: { _, count in remainingCount.withLock { $0 = try? count.get() } })
            return nil
        }
        try await store.writer.write { database in
            database.add(function: onDeletion)
            try database.execute(
                sql: """
                    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 100)
                    INSERT INTO proofs
                    SELECT 1, 'mina', printf('%064d', number), 'photo', 'image/jpeg', 1, printf('%064d', number), 1, x'00' FROM numbers;
                    CREATE TEMP TRIGGER deletion AFTER UPDATE OF content ON proofs BEGIN SELECT onDeletion(); END;
                    UPDATE orderMetadata SET pruneTime = \(now.milliseconds);
                    """)
        }

        #expect(try await store.prune(OrderRetention(), at: now))

        #expect(remainingCount.withLock { $0 } == 80)
        #expect(try await store.order(1)?.state == .claimed)
        #expect(try await store.writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(content) FROM proofs") } == 0)
    }

    private static func creation(at now: Timestamp) -> OrderStoreCommand {
        let content = OrderContent(title: "Soup", price: "1", currency: "EUR", destination: .init(address: "1 Quay", coordinate: nil))
        let sender = OrderLifecycle.Sender(PersonID(rawValue: "ada"), role: .dispatcher, actionTime: now)
        return OrderStoreCommand(.create(content, externalID: nil), from: sender, key: "1", fingerprint: "1")
    }

    @Test func `An event cannot be changed`() throws {
        let database = try SQLiteOrderStore.inMemory().writer

        try database.write { database in
            try database.execute(sql: "INSERT INTO orderEvents (orderID, number, event) VALUES (1, 1, '{}')")
            #expect(throws: DatabaseError.self) { try database.execute(sql: "UPDATE orderEvents SET event = '[]'") }
        }
    }

    @Test func `A token of a revoked person, which a damaged or foreign file may have, is not valid`() async throws {
        let (store, now) = (try SQLiteOrderStore.inMemory(), Timestamp(milliseconds: 1_800_000_000_000))
        let (token, mina, later) = (SecretHash(ofSecret: "phone"), PersonID(rawValue: "mina"), now + .seconds(60))
        try await store.addPerson(Person(id: mina, name: "Mina", role: .courier, creationTime: now))
        try await store.addToken(token, of: mina, expires: later)
        #expect(try await store.person(withToken: token, at: now, expires: later)?.id == mina)

        try await store.writer.write { try $0.execute(sql: "UPDATE people SET revocationTime = 1") }

        #expect(try await store.person(withToken: token, at: now, expires: later) == nil)
        #expect(try await store.validTokens([token], at: now) == [])
    }

    // MARK: Damage

    /// Removes the types of the tables, which a damaged file may contradict.
    private static let untype = """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(replace(replace(replace(replace(
            sql, 'TEXT NOT NULL', 'TEXT'), 'INTEGER NOT NULL', 'INTEGER'), 'REAL NOT NULL', 'REAL'), 'STRICT,', ''), 'STRICT', '')
        WHERE type = 'table';
        PRAGMA writable_schema = RESET;
        """

    @Test(arguments: [
        "UPDATE orders SET title = NULL", "UPDATE orders SET fence = NULL", "UPDATE orders SET isDemo = NULL",
        "UPDATE people SET creationTime = x'ff'", "UPDATE people SET name = x'ff'", "UPDATE proofs SET length = x'ff'",
        "UPDATE courierPositions SET accuracy = x'ff'", "UPDATE stateCounts SET count = x'ff'", "UPDATE orderChanges SET wasOpen = NULL",
        "UPDATE orderMetadata SET epoch = x'ff'",
    ])
    func `A value of another type in a damaged database is an error`(damage: String) async throws {
        let (store, now) = (try SQLiteOrderStore.inMemory(), Timestamp(milliseconds: 1_800_000_000_000))
        _ = try await store.perform(Self.creation(at: now), at: now)
        let start = ChangePosition(epoch: try await store.position().epoch, number: 0)
        let digest = String(repeating: "a1", count: 32)

        try await store.writer.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    INSERT INTO people VALUES ('ada', 'Ada', 'dispatcher', 1, NULL);
                    INSERT INTO courierPositions VALUES ('ada', 1, 40, -74, 10);
                    INSERT INTO proofs VALUES (1, 'ada', '\(digest)', 'photo', 'image/png', 1, '\(digest)', 1, x'00');
                    """)
            try database.execute(sql: Self.untype)
            try database.execute(sql: damage)
        }

        let error = await #expect(throws: DatabaseError.self) {
            _ = try await store.orders(BoardQuery(.open))
            _ = try await store.people()
            _ = try await store.lastPositions()
            _ = try await store.counts(at: now)
            _ = try await store.history(of: 1)
            _ = try await store.changes(after: start, limit: 10)
        }
        #expect(error?.resultCode == .SQLITE_CORRUPT)
        #expect(error?.message?.contains("Soup") == false)
    }
}
