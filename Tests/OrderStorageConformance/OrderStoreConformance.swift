import OrderLifecycle
package import OrderStorage
import Testing

/// A suite that checks a store of orders against the contract of `OrderStore`.
///
/// A violation is recorded as an issue of the running test.
package struct OrderStoreConformance: Sendable {
    /// A requirement of a store, named by a sentence.
    package struct Case: Sendable, CustomStringConvertible {
        package let name: String
        let check: @Sendable (OrderStoreContext) async throws -> Void

        package var description: String { name }

        init(_ name: String, check: @escaping @Sendable (OrderStoreContext) async throws -> Void) {
            self.name = name
            self.check = check
        }
    }

    private let makeStore: @Sendable () async throws -> any OrderStore

    /// Creates a suite.
    ///
    /// - Parameter makeStore: Returns a new store without orders and people.
    package init(makeStore: @escaping @Sendable () async throws -> any OrderStore) {
        self.makeStore = makeStore
    }

    package var cases: [Case] { Case.commands + Case.reading + Case.changes + Case.people + Case.proofs + Case.maintenance + Case.imports }

    /// Runs one case on a new store.
    package func check(_ testCase: Case) async throws {
        try await testCase.check(OrderStoreContext(store: await makeStore()))
    }
}

/// A store with two couriers and a dispatcher, whose commands a case sends.
final class OrderStoreContext: Sendable {
    static let (mina, jonas, ada) = (PersonID(rawValue: "mina"), PersonID(rawValue: "jonas"), PersonID(rawValue: "ada"))
    static let start = Timestamp(milliseconds: 1_800_000_000_000)
    static let photo = ProofDigest(rawValue: String(repeating: "a1", count: 32))!

    let store: any OrderStore

    init(store: any OrderStore) {
        self.store = store
    }

    /// Sends a command with a key of its own unless one is given.
    @discardableResult
    func send(
        _ change: OrderStoreCommand.Change, by person: PersonID, key: String? = nil, fingerprint: String? = nil,
        at time: Timestamp = start
    ) async throws -> CommandResult {
        let sender = OrderLifecycle.Sender(person, role: person == Self.ada ? .dispatcher : .courier, actionTime: time)
        let command = OrderStoreCommand(
            change, from: sender, key: key ?? "\(change)-\(time.milliseconds)-\(person.rawValue)", fingerprint: fingerprint ?? "\(change)")
        return try await store.perform(command, at: time)
    }

    /// Creates an order and returns its id.
    func create(_ title: String = "Breakfast", _ change: (inout OrderContent) -> Void = { _ in }) async throws -> Int {
        var content = Self.content(title)
        change(&content)
        let id = try await send(.create(content, externalID: nil), by: Self.ada, key: "create-\(title)").verdict.order
        return try #require(id)
    }

    static func content(_ title: String) -> OrderContent {
        OrderContent(
            title: title, note: "Ring twice.", price: "42.50", currency: "EUR", deliveryTime: "May, 15th 16:00",
            due: Timestamp(milliseconds: 1_800_003_600_000),
            destination: .init(
                address: "1 Quay Street", coordinate: Coordinate(latitude: 40.7, longitude: -74), radius: 50, radiusUnit: "m"),
            items: [.init(id: 3, quantity: "1.5", unit: "kg")], pin: "1234")
    }

    @discardableResult
    func perform(
        _ command: OrderCommand, on order: Int, by person: PersonID, key: String? = nil, at time: Timestamp = start
    ) async throws -> StoredVerdict {
        try await send(.lifecycle(order: order, command), by: person, key: key, at: time).verdict
    }

    /// Prunes as often as a server does that runs all the time until then.
    func prune(_ retention: OrderRetention = OrderRetention(), until now: Timestamp) async throws {
        while try await !store.prune(retention, at: now) {}
    }

    func state(of order: Int) async throws -> OrderState? { try await store.order(order)?.state }

    /// Returns the titles of the orders that a query finds, page by page.
    func titles(_ query: BoardQuery) async throws -> [String] {
        var (query, titles) = (query, [String]())
        repeat {
            let page = try await store.orders(query)
            titles += page.orders.map(\.content.title)
            query.after = page.next
        } while query.after != nil
        return titles
    }
}
