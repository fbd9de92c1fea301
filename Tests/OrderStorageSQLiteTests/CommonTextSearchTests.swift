import GRDB
import OrderLifecycle
import OrderStorage
import Testing

@testable import OrderStorageSQLite

@Suite("Search for a common text")
struct CommonTextSearchTests {
    private static let start = Timestamp(milliseconds: 1_778_846_400_000)
    private static let count = 3_000

    /// Texts that three of four orders contain, found by the index of words and without it.
    private static let texts = ["soup", "中山路", "soup 中山路"]

    /// Returns a store of orders, of which three of four contain the texts.
    private func makeStore() async throws -> SQLiteOrderStore {
        let store = try SQLiteOrderStore.inMemory()
        let orders = (0..<Self.count).map { number in
            let content = OrderContent(
                title: number % 4 == 0 ? "Bread" : "Soup \(number)", price: "\(number * 7_919 % 1_000).50",
                currency: number % 5 == 0 ? "USD" : "EUR",
                due: number % 3 == 0 ? nil : Self.start + .seconds(number * 104_729 % 86_400),
                destination: .init(address: number % 4 == 0 ? "\(number) Quay" : "台北市中山路\(number)號", coordinate: nil))
            return StagedOrder(externalID: "E\(number)", content: content)
        }
        try await store.stage(orders, inImport: "1", at: Self.start)
        try await store.acceptImport("1", count: orders.count, digest: "d", by: nil, at: Self.start)
        while try await !store.continueImport("1", limit: 500, at: Self.start).isFinished {}
        for number in 1...200 {
            let id = number * 13
            let change: OrderStoreCommand.Change =
                .lifecycle(order: id, number % 2 == 0 ? .claim : .cancel)
            let role: Role = number % 2 == 0 ? .courier : .dispatcher
            let sender = OrderLifecycle.Sender(PersonID(rawValue: "mina"), role: role, actionTime: Self.start)
            _ = try await store.perform(OrderStoreCommand(change, from: sender, key: "\(number)", fingerprint: ""), at: Self.start)
        }
        return store
    }

    /// Returns the ids of all pages of a query.
    private func ids(_ query: BoardQuery, in store: SQLiteOrderStore) async throws -> [Int] {
        var (query, ids) = (query, [Int]())
        while true {
            let page = try await store.orders(query)
            ids += page.orders.map(\.id)
            guard let next = page.next else { return ids }
            query.after = next
        }
    }

    @Test func `Its pages are those of all orders that contain it, in each order and scope`() async throws {
        let store = try await makeStore()
        let scopes: [BoardQuery.Scope] = [
            .open, .states([.open, .claimed]), .states([.claimed, .cancelled]), .states(Set(OrderState.allCases)),
            .held(by: PersonID(rawValue: "mina")), .visible(to: PersonID(rawValue: "mina")), .attention(at: Self.start + .seconds(40_000)),
        ]

        for scope in scopes {
            for sort in [BoardQuery.Sort.price, .due, .id, .newest] {
                var all = BoardQuery(scope, sort: sort, limit: 100)
                let expected = try await ids(all, in: store).filter { $0 % 4 != 1 }
                for text in Self.texts {
                    all.text = text
                    let found = try await ids(all, in: store)

                    #expect(found == expected, "\(scope), \(sort), \(text)")
                    #expect(Set(found).count == found.count)
                }
            }
        }
    }

    @Test(arguments: texts) func `An order that is created or edited later is found by its present text only`(text: String) async throws {
        let store = try await makeStore()
        let query = BoardQuery(.states(Set(OrderState.allCases)), text: text, sort: .newest, limit: 100)
        let before = try await ids(query, in: store)

        let content = OrderContent(
            title: "Soup of the day", price: "5.00", currency: "EUR", destination: .init(address: "中山路1號", coordinate: nil))
        try await perform(.create(content, externalID: nil), key: "create", in: store)
        let created = try #require(try await ids(BoardQuery(.open, sort: .newest, limit: 1), in: store).first)
        #expect(try await ids(query, in: store) == [created] + before)

        var changed = content
        (changed.title, changed.destination.address) = ("Bread of the day", "1 Quay")
        try await perform(.edit(order: created, changed, version: nil), key: "edit", in: store)
        #expect(try await ids(query, in: store) == before)
    }

    @Test func `The texts of a restored backup are found after as many changes as before`() async throws {
        let (store, backup) = (try await makeStore(), try DatabaseQueue())
        let query = BoardQuery(.states(Set(OrderState.allCases)), text: "soup", sort: .newest, limit: 100)
        let before = try await ids(query, in: store)
        try store.writer.backup(to: backup)
        let bread = OrderContent(title: "Bread", price: "5.00", currency: "EUR", destination: .init(address: "1 Quay", coordinate: nil))
        try await perform(.edit(order: before[0], bread, version: nil), key: "edit", in: store)
        #expect(try await ids(query, in: store) == Array(before[1...]))

        try await backup.write { try SQLiteOrderStore.beginEpochAfterLoss(above: 1_800_000_000, in: $0) }
        try backup.backup(to: store.writer)
        try await perform(.edit(order: before[1], bread, version: nil), key: "other", in: store)

        #expect(try await ids(query, in: store) == [before[0]] + before[2...])
    }

    @Test(arguments: texts) func `A text is common also after a gap between the ids of orders`(text: String) async throws {
        let store = try await makeStore()
        let query = BoardQuery(.states(Set(OrderState.allCases)), text: text, sort: .newest, limit: 100)
        let before = try await ids(query, in: store)
        try await store.writer.write { try SQLiteOrderStore.beginEpochAfterLoss(above: 1_800_000_000, in: $0) }

        let content = OrderContent(
            title: "Soup of the day", price: "5.00", currency: "EUR", destination: .init(address: "中山路1號", coordinate: nil))
        try await perform(.create(content, externalID: nil), key: "create", in: store)

        #expect(try await ids(query, in: store) == [1_800_000_001] + before)
        let condition = try #require(TextCondition(text))
        #expect(try await store.writer.read { try TextMatches.matches(of: condition, store.textMatches, in: $0).isCommon })
    }

    private func perform(_ change: OrderStoreCommand.Change, key: String, in store: SQLiteOrderStore) async throws {
        let sender = OrderLifecycle.Sender(PersonID(rawValue: "mina"), role: .dispatcher, actionTime: Self.start)
        let result = try await store.perform(OrderStoreCommand(change, from: sender, key: key, fingerprint: ""), at: Self.start)
        let isAccepted = if case .accepted = result.verdict.outcome { true } else { false }
        try #require(isAccepted)
    }

    @Test func `A search in an area finds only the orders there`() async throws {
        let store = try await makeStore()
        let box = CoordinateBox(south: 1, west: 1, north: 2, east: 2)

        #expect(try await ids(BoardQuery(.open, box: box, text: "soup", sort: .price, limit: 100), in: store) == [])
    }
}
