import OrderLifecycle
import OrderStorage
import OrderStorageConformance
import OrderStoragePostgreSQL
import PostgreSQLClient
import PostgreSQLFixtures
import Testing

/// The tests have a server of their own and run one after the other: a transaction of another test would delay their change feeds.
@Suite("Orders in PostgreSQL", .serialized)
struct PostgreSQLOrderStoreTests {
    private static let server = Task { try await PostgreSQLServer() }
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)
    private static let suite = OrderStoreConformance { try await makeStore().store }

    private static func makeStore() async throws -> (store: PostgreSQLOrderStore, client: PostgreSQLClient) {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(try await server.value.makeDatabase()))
        var migrator = PostgreSQLMigrator()
        PostgreSQLOrderStore.registerMigrations(in: &migrator)
        try await migrator.migrate(client)
        return (PostgreSQLOrderStore(client), client)
    }

    @Test(arguments: suite.cases)
    func `The PostgreSQL store passes the conformance suite`(_ testCase: OrderStoreConformance.Case) async throws {
        try await Self.suite.check(testCase)
    }

    private func create(_ store: PostgreSQLOrderStore, _ title: String) async throws -> Int {
        let content = OrderContent(title: title, price: "1", currency: "EUR", destination: .init(address: "1 Quay Street", coordinate: nil))
        let sender = OrderLifecycle.Sender(PersonID(rawValue: "ada"), role: .dispatcher, actionTime: Self.start)
        let command = OrderStoreCommand(.create(content, externalID: nil), from: sender, key: title, fingerprint: "")
        return try #require(try await store.perform(command, at: Self.start).verdict.order)
    }

    private func claim(_ order: Int, _ person: String, key: String) -> OrderStoreCommand {
        let sender = OrderLifecycle.Sender(PersonID(rawValue: person), role: .courier, actionTime: Self.start)
        return OrderStoreCommand(.lifecycle(order: order, .claim), from: sender, key: key, fingerprint: "")
    }

    @Test func `Of many claims on several connections one succeeds`() async throws {
        let (store, _) = try await Self.makeStore()
        let id = try await create(store, "Breakfast")

        let verdicts = try await withThrowingTaskGroup(of: StoredVerdict.self) { group in
            for number in 0..<60 {
                group.addTask { try await store.perform(claim(id, "courier \(number)", key: "k"), at: Self.start).verdict }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(verdicts.count { if case .accepted = $0.outcome { true } else { false } } == 1)
        #expect(verdicts.count { if case .refused = $0.outcome { true } else { false } } == 59)
        #expect(try await store.history(of: id)?.events.count == 2)
    }

    @Test func `Of one key on several connections there is one verdict`() async throws {
        let (store, _) = try await Self.makeStore()
        let id = try await create(store, "Breakfast")

        let results = try await withThrowingTaskGroup(of: CommandResult.self) { group in
            for _ in 0..<20 { group.addTask { try await store.perform(claim(id, "mina", key: "k"), at: Self.start) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(Set(results.map(\.verdict)).count == 1)
        #expect(results.count { !$0.isRepeated } == 1)
        #expect(try await store.history(of: id)?.events.count == 2)
    }

    /// A transaction takes its number when it writes first, and may commit after others with later numbers. A reader of the numbers after the last one that
    /// it has seen misses its changes; a reader of the feed waits for it.
    @Test func `The feed has the changes of a transaction that commits after a later one`() async throws {
        let (store, client) = try await Self.makeStore()
        let early = try await create(store, "Early")
        let start = try await store.position()
        let naiveStart = try await naiveNumber(client)

        // Writes a change of the first order, and commits when the lock is free.
        let lock: PostgreSQLStatement = "SELECT pg_advisory_xact_lock(7)"
        let locking = Task { try await client.write([lock, "SELECT pg_sleep(1)"]) }
        while try await locks(client, areGranted: true) == 0 {}
        let slow = Task {
            try await client.write([
                """
                INSERT INTO order_changes (order_id, event, previous_holder, was_open, milliseconds)
                VALUES (\(early), 1, NULL, true, \(Self.start.milliseconds))
                """,
                lock,
            ])
        }
        while try await locks(client, areGranted: false) == 0 {}
        let late = try await create(store, "Late")

        let naive = try await naiveOrders(client, after: naiveStart)
        let first = try await store.changes(after: start, limit: 10)
        #expect(naive.orders == [late])
        #expect(first.changes.isEmpty)
        _ = try await (locking.value, slow.value)

        let naiveLater = try await naiveOrders(client, after: naive.last)
        let later = try await store.changes(after: first.position, limit: 10)
        #expect(naiveLater.orders.isEmpty, "the naive reader has missed the change")
        #expect(later.changes.map(\.order) == [early, late])
    }

    private func locks(_ client: PostgreSQLClient, areGranted: Bool) async throws -> Int {
        try await Self.count(client, "SELECT count(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND granted = \(areGranted)")
    }

    private func naiveNumber(_ client: PostgreSQLClient) async throws -> Int {
        try await Self.count(client, "SELECT COALESCE(MAX(part), 0) AS count FROM order_changes")
    }

    /// Reads the changes after a number, as a feed by a sequence does.
    private func naiveOrders(_ client: PostgreSQLClient, after number: Int) async throws -> (orders: [Int], last: Int) {
        let rows = try await client.read("SELECT order_id, part FROM order_changes WHERE part > \(number) ORDER BY part")
        return (try rows.map { try $0.value("order_id") }, try rows.last?.value("part") ?? number)
    }

    private static func count(_ client: PostgreSQLClient, _ statement: PostgreSQLStatement) async throws -> Int {
        try await client.read(statement).first?.value("count") ?? 0
    }

    @Test func `A claim takes two round trips`() async throws {
        let (store, client) = try await Self.makeStore()
        let id = try await create(store, "Breakfast")
        let before = client.roundTripCount

        _ = try await store.perform(claim(id, "mina", key: "k"), at: Self.start)

        // A notification of the other programs may be among them.
        #expect((2...3).contains(client.roundTripCount - before))
    }

    @Test func `Programs that start together apply each migration once`() async throws {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(try await Self.server.value.makeDatabase()))
        var migrator = PostgreSQLMigrator()
        PostgreSQLOrderStore.registerMigrations(in: &migrator)

        try await withThrowingTaskGroup { [migrator] group in
            for _ in 1...4 { group.addTask { try await migrator.migrate(client) } }
            try await group.waitForAll()
        }

        #expect(try await Self.count(client, "SELECT count(*) AS count FROM order_metadata") == 1)
    }

    @Test func `A program that a later release excludes does not start`() async throws {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(try await Self.server.value.makeDatabase()))
        var current = PostgreSQLMigrator()
        current.register("one", ["CREATE TABLE one (id bigint)"])
        var later = current
        later.register("two", ["ALTER TABLE one ADD COLUMN name text"])
        var incompatible = later
        incompatible.register("three", excludesEarlier: true, ["ALTER TABLE one DROP COLUMN id"])

        try await current.migrate(client)
        try await later.migrate(client)
        try await current.migrate(client)
        try await incompatible.migrate(client)

        await #expect(throws: PostgreSQLMigrator.Failure.programTooOld) { try await current.migrate(client) }
        await #expect(throws: PostgreSQLMigrator.Failure.programTooOld) { try await later.checkRelease(client) }
        try await incompatible.migrate(client)
    }
}
