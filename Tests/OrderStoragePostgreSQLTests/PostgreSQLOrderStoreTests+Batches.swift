import OrderLifecycle
import OrderStorage
@testable import OrderStoragePostgreSQL
import PostgreSQLClient
import Testing

/// Commands that are executed together.
extension PostgreSQLOrderStoreTests {
    private func makeStore(orders count: Int) async throws -> (store: PostgreSQLOrderStore, client: PostgreSQLClient, orders: [Int]) {
        let (store, client) = try await Self.makeStore()
        var orders: [Int] = []
        for number in 1...count { orders.append(try await create(store, "Order \(number)")) }
        return (store, client, orders)
    }

    /// Claims orders at once, and returns the result of each.
    private func claim(_ orders: [Int], _ store: PostgreSQLOrderStore) async -> [Int: Result<StoredVerdict, any Error>] {
        await withTaskGroup(of: (Int, Result<StoredVerdict, any Error>).self) { group in
            for order in orders {
                let command = claim(order, "courier \(order)", key: "k")
                group.addTask {
                    do {
                        return (order, .success(try await store.perform(command, at: Self.start).verdict))
                    } catch {
                        return (order, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test func `Commands that arrive together share round trips, and each has its verdict`() async throws {
        let (store, client, orders) = try await makeStore(orders: 60)
        let before = client.roundTripCount

        let verdicts = await claim(orders + [1_000_000], store)

        // Alone they would need two each.
        #expect(client.roundTripCount - before < 60)
        for order in orders {
            let verdict = try #require(try verdicts[order]?.get())
            #expect(verdict.order == order)
            #expect(verdict.state == .claimed)
            #expect(try await store.order(order)?.holder == PersonID(rawValue: "courier \(order)"))
        }
        #expect(try verdicts[1_000_000]?.get().outcome == .orderUnknown)
    }

    @Test func `A command that the database refuses fails alone`() async throws {
        let (store, client, orders) = try await makeStore(orders: 20)
        let refused = orders[10]
        try await client.write(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not this one'; END $$
            """)
        try await client.write(
            """
            CREATE TRIGGER refusal BEFORE UPDATE ON orders FOR EACH ROW WHEN (OLD.id = \(sql: "\(refused)")) EXECUTE FUNCTION refuse()
            """)

        let verdicts = await claim(orders, store)

        #expect(verdicts.filter { (try? $0.value.get().state) != .claimed }.map(\.key) == [refused])
        #expect(throws: PostgreSQLError.self) { try verdicts[refused]?.get() }
        #expect(try await store.history(of: refused)?.events.count == 1)
    }

    @Test func `An order that cannot be read fails alone`() async throws {
        let (store, client, orders) = try await makeStore(orders: 20)
        try await client.write(#"UPDATE order_events SET event = '{"number": 1}' WHERE order_id = \#(orders[10])"#)

        let verdicts = await claim(orders, store)

        #expect(verdicts.filter { (try? $0.value.get().state) != .claimed }.map(\.key) == [orders[10]])
    }

    @Test func `Orders locked by another program do not delay commands on others`() async throws {
        let (store, client, orders) = try await makeStore(orders: 12)
        let other = PostgreSQLClient(client.configuration)
        let locked = Array(orders.prefix(4))
        let locking = try await lock(locked, other)
        let waiting = Task { await claim(locked, store) }
        while try await Self.count(client, "SELECT count(*) AS count FROM pg_locks WHERE NOT granted") < 2 {}

        let verdicts = await claim(Array(orders.dropFirst(4)), store)

        #expect(try verdicts.values.allSatisfy { try $0.get().state == .claimed })
        #expect(try await store.order(locked[0])?.holder == nil, "the others were not waited for")
        try await endLock(locking, other)
        #expect(try await waiting.value.values.allSatisfy { try $0.get().state == .claimed })
        await other.shutDown()
    }

    /// The condition for connections that hold locks while they sleep.
    private static let sleeping = "datname = current_database() AND pid <> pg_backend_pid() AND state = 'active' AND query LIKE '%sleep%'"

    /// Locks orders until `endLock` is called.
    private func lock(_ orders: [Int], _ other: PostgreSQLClient) async throws -> Task<Void, any Error> {
        let ids = orders.map(String.init).joined(separator: ", ")
        let lock = PostgreSQLStatement(sql: "SELECT id FROM orders WHERE id IN (\(ids)) FOR UPDATE")
        let locking = Task<Void, any Error> { try await other.write([lock, "SELECT pg_sleep(25)"]) }
        while try await Self.count(other, "SELECT count(*) AS count FROM pg_stat_activity WHERE \(sql: Self.sleeping)") == 0 {}
        return locking
    }

    private func endLock(_ locking: Task<Void, any Error>, _ other: PostgreSQLClient) async throws {
        try await other.write("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(sql: Self.sleeping)")
        _ = await locking.result
    }

    @Test func `Commands on a locked order wait in one batch, and reads go on`() async throws {
        let (store, client) = try await Self.makeStore { $0.acquisitionLimit = .seconds(1) }
        let (locked, free) = (try await create(store, "Locked"), try await create(store, "Free"))
        let other = PostgreSQLClient(client.configuration)
        let locking = try await lock([locked], other)

        var claims: [Task<CommandResult, any Error>] = []
        for number in 1...12 {
            claims.append(Task { try await store.perform(claim(locked, "courier \(number)", key: "k"), at: Self.start) })
            // The time after which a batch begins beside others: the server is a real process, which no manual clock drives.
            try await Task.sleep(for: .milliseconds(60))
        }

        #expect(try await store.order(free)?.state == .open)
        #expect(try await Self.count(other, "SELECT count(*) AS count FROM pg_locks WHERE NOT granted") == 1)
        try await endLock(locking, other)
        #expect(try await claims[0].value.verdict.state == .claimed)
        for claim in claims { _ = await claim.result }
        #expect(try await store.history(of: locked)?.events.count == 2)
        await other.shutDown()
    }

    @Test func `A command that waits too long for a batch fails, and is not executed`() async throws {
        let (store, client) = try await Self.makeStore { $0.acquisitionLimit = .milliseconds(200) }
        let id = try await create(store, "Breakfast")
        let other = PostgreSQLClient(client.configuration)
        let locking = try await lock([id], other)
        let first = Task { try await store.perform(claim(id, "mina", key: "k"), at: Self.start) }
        while try await Self.count(other, "SELECT count(*) AS count FROM pg_locks WHERE NOT granted") == 0 {}

        await #expect(throws: PostgreSQLError.poolExhausted) {
            try await store.perform(claim(id, "jonas", key: "k"), at: Self.start)
        }

        try await endLock(locking, other)
        #expect(try await first.value.verdict.state == .claimed)
        #expect(try await store.verdict(forKey: "k", of: PersonID(rawValue: "jonas")) == nil)
        await other.shutDown()
    }

    @Test func `A cancelled search for leases that are over ends after the order that it waits for`() async throws {
        let (store, client, orders) = try await makeStore(orders: 2)
        for (index, order) in orders.enumerated() {
            _ = try await store.perform(claim(order, "courier \(order)", key: "k"), at: Self.start + .seconds(index))
        }
        let other = PostgreSQLClient(client.configuration)
        let locking = try await lock([orders[0]], other)
        let expiring = Task { try await store.expireLeases(at: Self.start + .seconds(86_400), limit: 10) }
        while try await Self.count(other, "SELECT count(*) AS count FROM pg_locks WHERE NOT granted") == 0 {}

        expiring.cancel()
        try await endLock(locking, other)

        await #expect(throws: CancellationError.self) { try await expiring.value }
        #expect(try await store.order(orders[0])?.state == .open)
        #expect(try await store.order(orders[1])?.state == .claimed)
        await other.shutDown()
    }
}
