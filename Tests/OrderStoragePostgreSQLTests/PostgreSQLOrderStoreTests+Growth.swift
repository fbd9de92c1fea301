import OrderLifecycle
import OrderStorage
import PostgreSQLClient
import Testing

@testable import OrderStoragePostgreSQL

/// The rows that pages and counts read: as many as there are open orders, whatever the number of those of the past.
extension PostgreSQLOrderStoreTests {
    private static let (pastCount, openCount) = (20_000, 2_000)

    /// The orders of the past come before the open ones in every sort.
    private static let orders: PostgreSQLStatement = """
        INSERT INTO orders (id, title, note, price, currency, amount, item_count, delivery_time, due, address, radius, radius_unit, items,
            state, fence, event_count)
        SELECT number, 'Order', '', '1', 'EUR', number, 0, '', number, '1 Quay Street', 0, 'm', '[]',
            CASE WHEN number <= \(pastCount) THEN 'delivered' ELSE 'open' END, 0, 1
        FROM generate_series(1, \(pastCount + openCount)) AS number
        """

    /// Executes a statement, and returns the largest number of rows that a part of its plan has returned or removed.
    private static func rowCount(of statement: PostgreSQLStatement, _ client: PostgreSQLClient) async throws -> Int {
        let plan = try await client.read("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \(statement)")
            .map { try $0.value("QUERY PLAN", as: String.self) }
        let counts = plan.flatMap { $0.matches(of: /(?:actual rows=|Removed by Filter: )(\d+)/).compactMap { Int($0.1) } }
        return try #require(counts.max())
    }

    @Test func `A page reads no orders of the past that it does not show`() async throws {
        let (_, client) = try await Self.makeStore()
        try await client.write([Self.orders, "ANALYZE orders"])
        let (all, mina) = (Set(OrderState.allCases), PersonID(rawValue: "mina"))
        let scopes: [BoardQuery.Scope] = [
            .open, .visible(to: mina), .held(by: mina), .states(all), .states([.delivered]), .states([.open, .claimed]),
            .attention(at: Timestamp(milliseconds: Int64(Self.pastCount) + 100 - AttentionReason.dueNotice)),
        ]
        let sorts: [(BoardQuery.Sort, PageCursor)] = [
            (.id, .id(10_000)), (.price, .price(currency: "EUR", amount: 10_000, id: 10_000)), (.due, .due(10_000, id: 10_000)),
        ]

        for scope in scopes {
            for (sort, cursor) in sorts {
                for after in [nil, cursor] {
                    let count = try await Self.rowCount(of: BoardStatement(BoardQuery(scope, sort: sort, after: after)).page, client)
                    #expect(count <= Self.openCount, "\(scope) sorted by \(sort) after \(String(describing: after))")
                }
            }
        }
    }

    @Test func `A search for orders without a place reads no orders of the past`() async throws {
        let (_, client) = try await Self.makeStore()
        try await client.write([Self.orders, "ANALYZE orders"])
        let place = try #require(Coordinate(latitude: 40.7, longitude: -74))
        var statement = BoardStatement(BoardQuery(.visible(to: PersonID(rawValue: "mina")), sort: .distance(from: place)))
        statement.add("latitude IS NULL AND id > 0")

        #expect(try await Self.rowCount(of: statement.statement("id", by: "id", limit: 51), client) <= Self.openCount)
    }

    @Test func `Counts read no orders of the past`() async throws {
        let (store, client) = try await Self.makeStore()
        try await client.write([Self.orders, "ANALYZE orders"])
        _ = try await store.prune(OrderRetention(), at: Self.start)

        #expect(try await Self.rowCount(of: PostgreSQLOrderStore.stateCounts, client) == Self.openCount)
        #expect(try await store.counts(at: Self.start).states == [.delivered: Self.pastCount, .open: Self.openCount])
    }

    @Test func `Orders that end while their counts are folded are counted once`() async throws {
        let (store, client) = try await Self.makeStore()
        var ids: [Int] = []
        for number in 0..<40 { ids.append(try await create(store, "Order \(number)")) }

        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids { group.addTask { _ = try await store.perform(cancellation(of: id), at: Self.start) } }
            for _ in 1...4 {
                group.addTask { for _ in 1...10 { _ = try await store.prune(OrderRetention(), at: Self.start) } }
            }
            try await group.waitForAll()
        }
        _ = try await store.prune(OrderRetention(), at: Self.start)

        #expect(try await store.counts(at: Self.start).states == [.cancelled: 40])
        #expect(try await Self.count(client, "SELECT count(*) AS count FROM final_order_counts") == 1)
        try await client.write("UPDATE orders SET state = 'delivered' WHERE id = \(ids[0])")
        try await client.write("UPDATE orders SET state = 'open' WHERE id = \(ids[1])")
        try await client.write("DELETE FROM orders WHERE id = \(ids[2])")
        #expect(try await store.counts(at: Self.start).states == [.cancelled: 37, .delivered: 1, .open: 1])
    }

    private func cancellation(of order: Int) -> OrderStoreCommand {
        let sender = OrderLifecycle.Sender(PersonID(rawValue: "ada"), role: .dispatcher, actionTime: Self.start)
        return OrderStoreCommand(.lifecycle(order: order, .cancel), from: sender, key: "cancel \(order)", fingerprint: "")
    }

    @Test func `The orders of a database of an earlier release are counted when it is upgraded`() async throws {
        let (store, client) = try await Self.makeStore()
        try await client.write([
            "DROP FUNCTION count_final_order() CASCADE", "DROP TABLE final_order_counts",
            "DELETE FROM lading_migrations WHERE name = 'final order counts'", Self.orders,
        ])
        var migrator = PostgreSQLMigrator()
        PostgreSQLOrderStore.registerMigrations(in: &migrator)

        try await migrator.migrate(client)

        #expect(try await store.counts(at: Self.start).states == [.delivered: Self.pastCount, .open: Self.openCount])
    }
}
