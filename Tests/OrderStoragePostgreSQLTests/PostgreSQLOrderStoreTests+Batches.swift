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
        let ids = locked.map(String.init).joined(separator: ", ")
        let lock = PostgreSQLStatement(sql: "SELECT id FROM orders WHERE id IN (\(ids)) FOR UPDATE")
        let locking = Task { try await other.write([lock, "SELECT pg_sleep(3)"]) }
        let rowLocks: PostgreSQLStatement = """
            SELECT count(*) AS count FROM pg_locks WHERE relation = 'orders'::regclass AND mode = 'RowShareLock'
            """
        while try await Self.count(client, rowLocks) == 0 {}
        let waiting = Task { await claim(locked, store) }
        while try await Self.count(client, "SELECT count(*) AS count FROM pg_locks WHERE NOT granted") < 2 {}

        let verdicts = await claim(Array(orders.dropFirst(4)), store)

        #expect(try verdicts.values.allSatisfy { try $0.get().state == .claimed })
        #expect(try await store.order(locked[0])?.holder == nil, "the others were not waited for")
        _ = try await locking.value
        #expect(try await waiting.value.values.allSatisfy { try $0.get().state == .claimed })
        await other.shutDown()
    }
}
