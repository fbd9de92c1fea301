import HTTPTypes
import LadingHTTP
import OrderLifecycle

/// The requests of a dispatcher to the API.
struct DispatchService: Sendable {
    /// The number of orders in a page of the table.
    static let pageSize = 50

    let orders: OrderService
    private var api: APIClient { orders.api }

    /// A page of the table, with what is shown beside it.
    struct Table: Sendable {
        /// A position of the change feed before the orders and their numbers were read: a change between is received again.
        let position: String
        let rows: [Row]
        /// The cursor of the next page; nil at the end.
        let next: String?
        let counts: Counts
        let people: [Person]
        /// The state of the webhook; nil if the server has none.
        let webhook: WebhookState?
    }

    /// The fields of an order that the table shows; a page has many orders, and to decode all fields takes twice as long.
    struct Row: Decodable, Sendable {
        struct Destination: Decodable, Sendable {
            let address: String
        }

        let id: Int
        let state: OrderState
        let title: String
        let price: String
        let currency: String
        let deliveryTime: String
        /// RFC 3339; nil if the time is unknown.
        let due: String?
        let destination: Destination
        let holder: APIOrder.Person?
        /// The reasons to look at the order.
        let attention: [String]?
    }

    /// The numbers of orders.
    struct Counts: Decodable, Hashable, Sendable {
        struct State: Decodable, Hashable, Sendable {
            let state: String
            let count: Int
        }

        struct Courier: Decodable, Hashable, Sendable {
            let id: String
            let count: Int
        }

        let states: [State]
        let attention: Int
        let couriers: [Courier]

        func count(of scope: DispatchQuery.Scope) -> Int {
            switch scope {
            case .attention: attention
            case .all: states.map(\.count.clampedToList).reduce(0, +)
            case .state(let state): states.first { $0.state == state.rawValue }?.count ?? 0
            }
        }
    }

    /// A person, with the last position of a courier.
    struct Person: Decodable, Hashable, Sendable {
        struct Position: Decodable, Hashable, Sendable {
            let latitude: Double
            let longitude: Double
            let at: String
        }

        let id: String
        let name: String?
        let role: String
        var revokedSince: String?
        var position: Position?

        var isCourier: Bool { role == "courier" && revokedSince == nil }
    }

    /// All that is known of an order.
    struct Order: Sendable {
        let order: APIOrder
        let history: APIHistory
        let people: [Person]

        func name(of person: String?) -> String? { person.flatMap { id in people.first { $0.id == id }?.name } }
    }

    private struct Page: Decodable, Sendable {
        let position: String
        /// The cursor of the next page; nil at the end.
        let next: String?
        let counts: Counts
        let orders: [Row]
    }

    func table(_ query: DispatchQuery) async throws -> Table {
        var parameters = query.apiParameters
        parameters["limit"] = "\(Self.pageSize)"
        parameters["counts"] = "true"
        async let people = people()
        async let webhook = webhook()
        // Dispatchers receive the PINs of orders.
        let page: Page = try api.decode(
            try await api.send(.get, "orders", query: parameters, token: orders.token, containsSecrets: true))
        return try await Table(
            position: page.position, rows: page.orders, next: page.next, counts: page.counts, people: people, webhook: webhook)
    }

    func people() async throws -> [Person] {
        struct List: Decodable {
            let people: [Person]
        }
        let list: List = try api.decode(try await api.send(.get, "people", token: orders.token))
        return list.people
    }

    /// Returns an order with a position of the change feed before it was read: a change between is received again.
    ///
    /// Nil if there is no order with this id.
    func orderAtPosition(_ id: Int) async throws -> (order: Order, position: String)? {
        let position = try await orders.position()
        return try await order(id).map { ($0, position) }
    }

    /// Returns an order; nil if there is none with this id.
    func order(_ id: Int) async throws -> Order? {
        async let people = people()
        guard let order = try await orders.order(id), let history = try await orders.history(of: id) else { return nil }
        return try await Order(order: order, history: history, people: people)
    }
}
