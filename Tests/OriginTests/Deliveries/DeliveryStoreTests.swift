import Foundation
import HTTPFieldValues
import HTTPTypes
import PostgreSQLClient
import PostgreSQLFixtures
import Synchronization
import Testing

@testable import Origin

/// The behaviour of every store of deliveries and favourites.
@Suite("Stores of deliveries and favourites")
struct DeliveryStoreTests {
    enum Kind: CaseIterable {
        case sqlite, postgreSQL

        /// Returns a store with the first deliveries of a demo.
        func makeStore(_ count: Int, seed: UInt64 = 1) async throws -> any DeliveryStore & FavouriteStore {
            let demo = DemoDeliveries(count: count, seed: seed)
            switch self {
            case .sqlite:
                let database = try OriginDatabase()
                _ = try await database.fill(with: demo, now: demoDate)
                return database
            case .postgreSQL:
                let store = try await DeliveryStoreTests.makePostgreSQLStore()
                _ = try await store.fill(with: demo, now: demoDate)
                return store
            }
        }
    }

    private static func makePostgreSQLStore() async throws -> PostgreSQLDeliveryStore {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(try await PostgreSQLServer.makeDatabase()))
        var migrator = PostgreSQLMigrator()
        PostgreSQLDeliveryStore.registerMigrations(in: &migrator)
        try await migrator.migrate(client)
        return PostgreSQLDeliveryStore(client: client)
    }

    private static func request(
        _ key: String, _ isFavourite: Bool = true, at date: Date = demoDate, delivery: Int = 3, fingerprint: String = "a"
    ) throws -> FavouriteRequest {
        FavouriteRequest(
            action: FavouriteAction(isFavourite: isFavourite, timestamp: ActionTimestamp(date)), delivery: delivery,
            key: try IdempotencyKey([.idempotencyKey: key]), fingerprint: fingerprint)
    }

    // MARK: - Deliveries

    @Test(arguments: Kind.allCases)
    func `A delivery is stored and read whole`(_ kind: Kind) async throws {
        let demo = DemoDeliveries(count: 300, seed: 9)
        let store = try await kind.makeStore(demo.count, seed: demo.seed)

        let stored = try await store.deliveries(DeliveryPage(offset: 0, limit: 1_000))

        #expect(stored.map(\.delivery) == demo.ids.map(demo.delivery))
        #expect(stored.allSatisfy { !$0.isFavourite })
    }

    @Test(
        arguments: Kind.allCases,
        [(0, 20, 0..<20), (290, 20, 290..<300), (300, 20, 0..<0), (17, 0, 0..<0), (Int.max, 20, 0..<0)])
    func `A page begins at its offset and ends with the list`(
        _ kind: Kind, _ page: (offset: Int, limit: Int, ids: Range<Int>)
    ) async throws {
        let store = try await kind.makeStore(300)

        let entries = try await store.deliveries(DeliveryPage(offset: page.offset, limit: page.limit))

        #expect(entries.map(\.delivery.id) == Array(page.ids))
    }

    @Test(arguments: Kind.allCases)
    func `A delivery is found by its key and its index`(_ kind: Kind) async throws {
        let store = try await kind.makeStore(20)
        let key = DemoDeliveries(count: 20, seed: 1).delivery(7).key

        #expect(try await store.deliveryKey(at: 7) == key)
        #expect(try await store.index(of: key) == 7)
        #expect(try await store.deliveryKey(at: 20) == nil)
        #expect(try await store.index(of: DemoDeliveries(count: 30, seed: 2).delivery(7).key) == nil)
    }

    // MARK: - Favourites

    @Test(arguments: Kind.allCases)
    func `A favourite is shown in its page and among the favourites of a range`(_ kind: Kind) async throws {
        let store = try await kind.makeStore(20)

        _ = try await store.perform(Self.request("1"), at: demoDate)
        _ = try await store.perform(Self.request("2", false, delivery: 4), at: demoDate)

        let page = try await store.deliveries(DeliveryPage(offset: 0, limit: 20))
        #expect(page.filter(\.isFavourite).map(\.delivery.id) == [3])
        #expect(try await store.favourites(in: 0...19) == [3])
        #expect(try await store.favourites(in: 4...19) == [])
        #expect(try await store.favourite(ofDelivery: 5) == .unset)
    }

    @Test(arguments: Kind.allCases)
    func `A repeated request has the first result, whatever has happened since`(_ kind: Kind) async throws {
        let store = try await kind.makeStore(20)
        let first = try await store.perform(Self.request("1", at: demoDate + 0.25), at: demoDate)
        _ = try await store.perform(Self.request("2", false, at: demoDate + 1), at: demoDate)

        let repeated = try await store.perform(Self.request("1", at: demoDate + 0.25), at: demoDate) {
            Issue.record("A repeated request needs no permission.")
        }

        #expect(repeated == first)
        #expect(first == Favourite(isFavourite: true, timestamp: ActionTimestamp(demoDate + 0.25)))
        #expect(try await !store.favourite(ofDelivery: 3).isFavourite)
        await #expect(throws: IdempotencyProblem.reused) {
            try await store.perform(Self.request("1", fingerprint: "b"), at: demoDate)
        }
    }

    @Test(arguments: Kind.allCases)
    func `A request without permission changes nothing and can be repeated`(_ kind: Kind) async throws {
        struct TestError: Error {}
        let store = try await kind.makeStore(20)

        await #expect(throws: TestError.self) {
            try await store.perform(Self.request("1"), at: demoDate) { throw TestError() }
        }

        #expect(try await store.favourite(ofDelivery: 3) == .unset)
        #expect(try await store.perform(Self.request("1"), at: demoDate).isFavourite)
    }

    @Test(arguments: Kind.allCases)
    func `The action with the latest timestamp wins in any order of arrival`(_ kind: Kind) async throws {
        let store = try await kind.makeStore(20)
        let moments = (0..<24).map { demoDate + Double($0) }
        for (delivery, order) in [moments, moments.reversed(), moments.shuffled()].enumerated() {
            for moment in order {
                let number = Int(moment.timeIntervalSince(demoDate))
                _ = try await store.perform(
                    Self.request(UUID().uuidString, number % 2 == 1, at: moment, delivery: delivery), at: demoDate)
            }
            let latest = Favourite(isFavourite: true, timestamp: ActionTimestamp(demoDate + 23))
            #expect(try await store.favourite(ofDelivery: delivery) == latest)
        }
    }

    @Test(arguments: Kind.allCases)
    func `Of simultaneous requests with one key one is performed`(_ kind: Kind) async throws {
        let store = try await kind.makeStore(20)

        let results = try await withThrowingTaskGroup(of: Favourite.self) { group in
            for number in 0..<20 {
                group.addTask { try await store.perform(Self.request("k", at: demoDate + Double(number)), at: demoDate) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(Set(results.map(\.timestamp)).count == 1)
        #expect(try await store.favourite(ofDelivery: 3) == results[0])
    }

    @Test(arguments: Kind.allCases)
    func `The oldest keys beyond the limit are evicted`(_ kind: Kind) async throws {
        let store = try await kind.makeStore(20)
        for number in 1...5 { _ = try await store.perform(Self.request("\(number)"), at: demoDate, keyLimit: 3) {} }

        // The key of an evicted request can be used again.
        _ = try await store.perform(Self.request("2", fingerprint: "b"), at: demoDate)
        await #expect(throws: IdempotencyProblem.reused) {
            try await store.perform(Self.request("4", fingerprint: "b"), at: demoDate)
        }
    }

    @Test(arguments: Kind.allCases)
    func `Expired keys are evicted`(_ kind: Kind) async throws {
        let (store, age) = (try await kind.makeStore(20), TimeInterval(FavouriteRequest.keyLifetime))
        _ = try await store.perform(Self.request("1"), at: demoDate)
        _ = try await store.perform(Self.request("2"), at: demoDate + 1)

        _ = try await store.perform(Self.request("3"), at: demoDate + age)
        await #expect(throws: IdempotencyProblem.reused) {
            try await store.perform(Self.request("1", fingerprint: "b"), at: demoDate + age)
        }
        _ = try await store.perform(Self.request("4"), at: demoDate + age + 1)
        _ = try await store.perform(Self.request("1", fingerprint: "b"), at: demoDate + age + 1)
        await #expect(throws: IdempotencyProblem.reused) {
            try await store.perform(Self.request("2", fingerprint: "b"), at: demoDate + age + 1)
        }
    }

    // MARK: - The shared list

    @Test func `Origins that fill a shared database at once store each delivery once`() async throws {
        let store = try await Self.makePostgreSQLStore()
        let demo = DemoDeliveries(count: 2 * PostgreSQLDeliveryStore.seedBatchSize + 10, seed: 1)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { _ = try await store.fill(with: demo, now: demoDate) } }
            try await group.waitForAll()
        }

        let end = try await store.deliveries(DeliveryPage(offset: demo.count - 10, limit: 100)).map(\.delivery)
        #expect(end == (demo.count - 10..<demo.count).map(demo.delivery))
    }

    @Test func `A shared database keeps its list when an origin starts with another demo`() async throws {
        let store = try await Self.makePostgreSQLStore()
        let date = try await store.fill(with: DemoDeliveries(count: 30, seed: 1), now: demoDate)
        let steps = Mutex(0)

        let later = try await store.fill(with: DemoDeliveries(count: 10, seed: 2), now: demoDate + 60) { _ in steps.withLock { $0 += 1 } }

        #expect(later == date)
        #expect(steps.withLock { $0 } == 0)
        let stored = try await store.deliveries(DeliveryPage(offset: 0, limit: 100)).map(\.delivery)
        #expect(stored == (0..<30).map(DemoDeliveries(count: 30, seed: 1).delivery))
    }
}
