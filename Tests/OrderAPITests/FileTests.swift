import Foundation
import GRDB
import HTTPTypes
import Logging
import OrderLifecycle
import OrderStorage
import Testing

@testable import OrderAPI
@testable import OrderStorageSQLite

/// Files of orders over the API.
@Suite("API: files") struct FileTests {
    private static let header = "externalId,title,price,currency,address\n"
    private static let good = header + "A-1,Soup,12.50,EUR,1 Ash Street\nA-2,\"Bread, fresh\",3,EUR,2 Ash Street\n"
    private static let faulty = good + "A-3,Cake,cheap,EUR,3 Ash Street\n"

    private func titles(_ fixture: OrderAPIFixture) async throws -> [String] {
        try await fixture.send(.get, "orders?scope=all", as: OrderAPIFixture.ada).titles
    }

    @Test func `A preview names faulty rows and columns, and creates nothing`() async throws {
        let fixture = try await OrderAPIFixture()

        let response = try await fixture.send(.post, "imports?mode=preview", as: OrderAPIFixture.ada, body: Self.faulty)

        #expect(response.status == 200 && response["orders"] as? Int == 2 && response["faulty"] as? Int == 1)
        let fault = try #require((response["faults"] as? [[String: Any]])?.first)
        #expect(fault["row"] as? Int == 4 && fault["column"] as? String == "price" && fault["value"] as? String == "cheap")
        #expect(fault["detail"] as? String == "must be an amount such as 42.50")
        #expect((fault["rule"] as? [String: Any])?["code"] as? String == "price")
        #expect(response["unlocated"] as? Int == 2)
        #expect(try await titles(fixture) == [])
    }

    @Test func `Faults have the facts of their rules, and unknown columns their names`() async throws {
        let fixture = try await OrderAPIFixture()
        let file = "externalId,title,price,currency,address,colour\nA,Soup,1,EUR,H,\nA,Soup,1,EUR,H,\nB,Soup,1,EUR\n"

        let response = try await fixture.send(.post, "imports?mode=preview", as: OrderAPIFixture.ada, body: file)

        let rules = (response["faults"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? [String: Any] }
        #expect(rules.map { $0["code"] as? String } == ["duplicate-external-id", "field-count"])
        #expect(rules.first?["row"] as? Int == 2)
        #expect(rules.last?["count"] as? Int == 4 && rules.last?["expectedCount"] as? Int == 6)
        #expect(response["unknownColumns"] as? [String] == ["colour"])
        #expect(response["notices"] as? [String] == ["the column \"colour\" is unknown and was ignored"])
    }

    @Test func `A file that cannot be divided into rows names its rule with facts`() async throws {
        let fixture = try await OrderAPIFixture()

        let response = try await fixture.send(.post, "imports", as: OrderAPIFixture.ada, body: "title,prize\nSoup,1\n")

        let rule = try #require(response["rule"] as? [String: Any])
        #expect(response.problem == "file-invalid" && rule["code"] as? String == "missing-columns")
        #expect(rule["missing"] as? [String] == ["price", "currency", "address"] && rule["found"] as? [String] == ["title", "prize"])
    }

    @Test func `All orders are created, or none`() async throws {
        let fixture = try await OrderAPIFixture()

        let refused = try await fixture.send(.post, "imports", as: OrderAPIFixture.ada, body: Self.faulty)
        #expect(refused.status == 422 && refused.problem == "rows-faulty" && refused["faulty"] as? Int == 1)
        #expect(try await titles(fixture) == [])
        let skipped = try await fixture.send(.post, "imports?mode=skip-faulty", as: OrderAPIFixture.ada, body: Self.faulty)
        #expect(skipped["created"] as? Int == 2 && skipped["faulty"] as? Int == 1)
        let repeated = try await fixture.send(.post, "imports", as: OrderAPIFixture.ada, body: Self.good)
        #expect(repeated["created"] as? Int == 0 && repeated["existing"] as? Int == 2)
        #expect(try await titles(fixture) == ["Soup", "Bread, fresh"])
    }

    @Test func `A file whose faulty rows were skipped is imported again with other options as a file of these rows only`() async throws {
        let fixture = try await OrderAPIFixture()
        let (header, row) = ("title,price,currency,address\n", "Cake,2,,3 Ash Street\n")
        let file = header + "Soup,12.50,EUR,1 Ash Street\n" + row

        let first = try await fixture.send(.post, "imports?mode=skip-faulty", as: OrderAPIFixture.ada, body: file)
        let repeated = try await fixture.send(.post, "imports?mode=skip-faulty", as: OrderAPIFixture.ada, body: file)
        let other = try await fixture.send(.post, "imports?currency=EUR", as: OrderAPIFixture.ada, body: file)
        let mended = try await fixture.send(.post, "imports?currency=EUR", as: OrderAPIFixture.ada, body: header + row)

        #expect(first["created"] as? Int == 1 && first["faulty"] as? Int == 1)
        #expect(repeated["created"] as? Int == 0 && repeated["existing"] as? Int == 1)
        #expect(Set((repeated["faults"] as? [[String: Any]] ?? []).compactMap { $0["row"] as? Int }) == [3])
        #expect((other["detail"] as? String)?.contains("with the earlier options again") == true)
        #expect(other.status == 409 && other.problem == "rows-skipped")
        #expect(mended["created"] as? Int == 1)
        #expect(try await titles(fixture) == ["Soup", "Cake"])
    }

    @Test(arguments: ["", "%PDF-1.7", "title\n", "a,b\n1,2\n", "title,price,currency,address\n\"open,1,EUR,x\n"])
    func `A file that cannot be read is refused with a reason, and nothing is left of it`(text: String) async throws {
        let fixture = try await OrderAPIFixture()

        let response = try await fixture.send(.post, "imports", as: OrderAPIFixture.ada, body: Self.good + text)
        let alone = try await fixture.send(.post, "imports", as: OrderAPIFixture.ada, body: text)

        #expect(alone.status == 422 && alone.problem == "file-invalid")
        #expect(text.isEmpty || response.status == 422)
        #expect(try await fixture.store.unfinishedImports() == [])
    }

    @Test(arguments: [
        ("imports", "wrong-role", OrderAPIFixture.mina), ("imports?mode=some", "invalid", OrderAPIFixture.ada),
        ("imports?time-zone=Nowhere", "invalid", OrderAPIFixture.ada), ("imports?currency=euro", "invalid", OrderAPIFixture.ada),
    ])
    func `Wrong senders and parameters are refused`(path: String, problem: String, person: String) async throws {
        let fixture = try await OrderAPIFixture()
        let response = try await fixture.send(.post, path, as: person, body: Self.good)

        #expect((400...403).contains(response.status))
        #expect(response.problem?.contains(problem) == true || problem == "invalid")
        #expect(try await titles(fixture) == [])
    }

    @Test(arguments: ["csv", "jsonl"])
    func `Exported orders can be imported elsewhere, with the same content`(format: String) async throws {
        let (fixture, other) = (try await OrderAPIFixture(), try await OrderAPIFixture())
        _ = try await fixture.createOrder()
        try await fixture.send(.post, "imports", as: OrderAPIFixture.ada, body: Self.good)

        let file = try await fixture.send(.get, "export?scope=all&format=\(format)", as: OrderAPIFixture.ada)
        let imported = try await other.send(.post, "imports", as: OrderAPIFixture.ada, bytes: file.bytes)

        #expect(imported["created"] as? Int == 3)
        let (before, after) = (try await fixture.store.orders(BoardQuery(.open)), try await other.store.orders(BoardQuery(.open)))
        #expect(before.orders.map(\.content) == after.orders.map(\.content))
        #expect(try await fixture.send(.get, "export", as: OrderAPIFixture.mina).status == 403)
        #expect(try await fixture.send(.get, "export?format=pdf", as: OrderAPIFixture.ada).status == 400)
    }

    @Test(arguments: [("", ["Soup"]), ("?scope=all", ["Breakfast", "Soup"]), ("?state=cancelled", ["Breakfast"])])
    func `An export has the orders of a list, without a scope the open ones`(query: String, titles: [String]) async throws {
        let fixture = try await OrderAPIFixture()
        let cancelled = try await fixture.createOrder()
        try await fixture.send(.post, "\(cancelled)/cancel", as: OrderAPIFixture.ada)
        _ = try await fixture.createOrder(OrderAPIFixture.breakfast.replacing("Breakfast", with: "Soup"))

        let file = try await fixture.send(.get, "export\(query)", as: OrderAPIFixture.ada)

        let exported = ["Breakfast", "Soup"].filter { file.text.contains($0) }
        #expect(file.status == 200 && exported == titles)
    }

    @Test func `An import that was interrupted is continued`() async throws {
        let fixture = try await OrderAPIFixture()
        let content = OrderContent(title: "Soup", price: "1", currency: "EUR", destination: .init(address: "A", coordinate: nil))
        let orders = (0..<1_200).map { StagedOrder(externalID: "E\($0)", content: content) }
        try await fixture.store.stage(orders, inImport: "1", at: OrderAPIFixture.start)
        try await fixture.store.acceptImport("1", count: 1_200, digest: "d", by: nil, at: OrderAPIFixture.start)
        _ = try await fixture.store.continueImport("1", limit: 500, at: OrderAPIFixture.start)

        let maintenance = Maintenance(
            store: fixture.store, settings: .init(), changes: ChangeBroadcaster(fixture.store) { OrderAPIFixture.start },
            now: { OrderAPIFixture.start },
            logger: .init(label: "test"))
        try await maintenance.completeImports()

        #expect(try await fixture.store.counts(at: OrderAPIFixture.start).states == [.open: 1_200])
        #expect(try await fixture.store.unfinishedImports() == [])
    }

    @Test func `An accepted import whose orders cannot be created yet is reported as unfinished, and continued`() async throws {
        let fixture = try await OrderAPIFixture()
        let file = Self.header + (1...700).map { "A-\($0),Soup,1,EUR,\($0) Ash Street\n" }.joined()
        // The disk has room for the first transaction only.
        let trigger = "CREATE TRIGGER noRoom BEFORE INSERT ON orders WHEN NEW.id > 500 BEGIN SELECT RAISE(ABORT, 'full'); END"
        try await fixture.store.write { try $0.execute(sql: trigger) }

        let response = try await fixture.send(.post, "imports", as: OrderAPIFixture.ada, body: file)
        try await fixture.store.write { try $0.execute(sql: "DROP TRIGGER noRoom") }
        let maintenance = Maintenance(
            store: fixture.store, settings: .init(), changes: ChangeBroadcaster(fixture.store) { OrderAPIFixture.start },
            now: { OrderAPIFixture.start }, logger: .init(label: "test"))
        try await maintenance.completeImports()
        let again = try await fixture.send(.post, "imports", as: OrderAPIFixture.ada, body: file)

        #expect(response.status == 503 && response.problem == "import-unfinished" && response.isFinal == false)
        #expect(response["created"] as? Int == 500 && response.headers[.retryAfter] == "5")
        #expect(again["created"] as? Int == 0 && again["existing"] as? Int == 700)
    }

    @Test func `An import that was not accepted is discarded after a day, also if other old data cannot be deleted`() async throws {
        let fixture = try await OrderAPIFixture()
        let content = OrderContent(title: "Soup", price: "1", currency: "EUR", destination: .init(address: "A", coordinate: nil))
        try await fixture.store.stage([StagedOrder(externalID: nil, content: content)], inImport: "1", at: OrderAPIFixture.start)
        try await fixture.store.write { try $0.execute(sql: "DROP TABLE verdicts") }
        let later = OrderAPIFixture.start + .seconds(2 * 86_400)
        let maintenance = Maintenance(
            store: fixture.store, settings: .init(), changes: ChangeBroadcaster(fixture.store) { later }, now: { later },
            logger: .init(label: "test"))

        await #expect(throws: DatabaseError.self) { try await maintenance.deleteOldData() }

        await #expect(throws: OrderStoreError.importDiscarded) {
            try await fixture.store.acceptImport("1", count: 1, digest: "d", by: nil, at: later)
        }
    }
}
