import Foundation
import OrderLifecycle
import OrderStorage
import OrderStorageConformance
import PostgreSQLClient
import Testing
@testable import OrderStoragePostgreSQL

/// Epochs that begin after commits were lost.
extension PostgreSQLOrderStoreTests {
    @Test(.timeLimit(.minutes(1))) func `After a restore on a server with lower transaction numbers the feed goes on`() async throws {
        let (store, client) = try await Self.makeStore()
        let id = try await create(store, "Breakfast")
        // The numbers of the server whose backup was restored.
        try await client.write([
            "INSERT INTO order_changes (transaction, order_id, event, was_open, milliseconds) VALUES ('4000000000', \(id), 1, false, 0)",
            "UPDATE order_metadata SET pruned_transaction = '3999999999'",
        ])

        try await store.beginEpochAfterLoss(above: 1_800_000_000)

        let start = try await store.position()
        _ = try await store.perform(claim(id, "mina", key: "k"), at: Self.start)
        var page = try await store.changes(after: start, limit: 10)
        // By a transaction of the server itself, such as one that updates statistics.
        while page.isHeldBack { page = try await store.changes(after: start, limit: 10) }

        #expect(page.changes.map(\.order) == [id])
        #expect(try await store.order(id)?.version.fence.rawValue ?? 0 > 1_800_000_000)
    }

    @Test func `After commits were lost no id of an order is used again`() async throws {
        let (store, client) = try await Self.makeStore()
        var ids = [try await create(store, "Breakfast")]
        // The state of a restored backup, which lacks the order.
        try await client.write([
            "DELETE FROM order_words", "DELETE FROM orders", "SELECT setval(pg_get_serial_sequence('orders', 'id'), 1, false)",
        ])

        // The clock of the second time is behind.
        for (title, seconds) in [("Lunch", 1_800_000_000), ("Dinner", 1), ("Supper", 1_900_000_000)] {
            try await store.beginEpochAfterLoss(above: seconds)
            ids.append(try await create(store, title))
        }

        #expect(Set(ids).count == 4 && ids == ids.sorted())
        #expect(ids[1] > 1_800_000_000 && ids[3] > 1_900_000_000)
    }

    @Test func `A new epoch ends sign-in links, and no tokens`() async throws {
        let (store, _) = try await Self.makeStore()
        let mina = Person(id: PersonID(rawValue: "mina"), name: "Mina", role: .courier, creationTime: Self.start)
        let (link, token, end) = (SecretHash(ofSecret: "link"), SecretHash(ofSecret: "token"), Self.start + .seconds(90))
        try await store.addPerson(mina)
        try await store.addLink(link, of: mina.id, expires: end)
        try await store.addToken(token, of: mina.id, expires: end)

        try await store.beginEpochAfterLoss(above: 1_800_000_000)

        #expect(try await store.exchangeLink(link, for: SecretHash(ofSecret: "new"), at: Self.start, expires: end) == nil)
        #expect(try await store.person(withToken: token, at: Self.start, expires: end) == mina)
    }
}
