import Digests
import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingHTTP
import OrderLifecycle
import OrderStorage

/// The API of the orders, as one simulated person uses it.
struct CityService: Sendable {
    /// An answer that is not the expected one.
    struct Failure: Error, CustomStringConvertible {
        let request: String
        let status: Int

        /// Whether the token is not valid any more: the person was revoked, or the database was replaced.
        var isSignedOut: Bool { status == 401 }

        var description: String { "\(request): \(status)" }
    }

    struct Order: Decodable, Sendable {
        struct Destination: Decodable, Sendable {
            let latitude: Double?
            let longitude: Double?
        }

        let id: Int
        let state: OrderState
        let fence: Int
        let attempts: Int
        let openReports: Int
        let destination: Destination
        let items: [Item]

        struct Item: Decodable, Sendable { let id: Int }

        /// The place of the recipient; nil if it is not known.
        var place: Coordinate? {
            guard let latitude = destination.latitude, let longitude = destination.longitude else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
    }

    private struct Page: Decodable { let orders: [Order] }
    private struct Counts: Decodable {
        struct Count: Decodable {
            let state: OrderState
            let count: Int
        }
        let states: [Count]
    }
    private struct History: Decodable {
        struct Report: Decodable {
            let number: Int
            let settled: Bool
        }
        let reports: [Report]
    }

    private static let limits = ResponseLimits(bodySize: 1 << 20, time: .seconds(10))

    let client: BackendClient
    let url: URL
    let token: String

    // MARK: - Reading

    /// Returns the orders that the person has.
    func ownOrders() async throws -> [Order] { try await orders(["scope": "mine"]) }

    /// Returns the nearest open orders.
    func openOrders(near place: Coordinate, limit: Int) async throws -> [Order] {
        try await orders(["near": "\(place.latitude),\(place.longitude)", "limit": "\(limit)"])
    }

    /// Returns the orders that need the attention of a dispatcher.
    func ordersThatNeedAttention() async throws -> [Order] { try await orders(["scope": "attention"]) }

    func order(_ id: Int) async throws -> Order { try await read("orders/\(id)") }

    func openCount() async throws -> Int {
        let counts: Counts = try await read("counts")
        return counts.states.first { $0.state == .open }?.count ?? 0
    }

    /// Returns the numbers of the open reports of an order.
    func openReports(of order: Int) async throws -> [Int] {
        let history: History = try await read("orders/\(order)/history")
        return history.reports.filter { !$0.settled }.map(\.number)
    }

    private func orders(_ query: [String: String]) async throws -> [Order] {
        let page: Page = try await read("orders", query.map { URLQueryItem(name: $0, value: $1) })
        return page.orders
    }

    private func read<Value: Decodable>(_ path: String, _ query: [URLQueryItem] = []) async throws -> Value {
        let response = try await send(.get, path, query)
        guard response.status == .ok else { throw Failure(request: path, status: response.status.code) }
        return try JSONDecoder().decode(Value.self, from: Data(response.body))
    }

    // MARK: - Writing

    /// Sends a command about an order.
    ///
    /// - Throws: `Failure` if it was refused.
    func perform(_ path: String, fence: Int? = nil, _ body: some Encodable & Sendable = [String: String]()) async throws {
        var headers: HTTPFields = [.contentType: "application/json", .idempotencyKey: "\"\(UUID().uuidString)\""]
        if let fence { headers[.ifMatch] = "\"\(fence)\"" }
        let response = try await send(.post, path, headers: headers, body: Array(JSONEncoder().encode(body)))
        guard (200..<300).contains(response.status.code) else { throw Failure(request: path, status: response.status.code) }
    }

    /// Reports the place of a courier.
    func report(_ place: Coordinate, at time: Date) async throws {
        struct Position: Encodable {
            let at: String
            let latitude: Double
            let longitude: Double
        }
        let at = Timestamp(milliseconds: Int64(time.timeIntervalSince1970 * 1_000)).text
        try await perform(
            "positions", ["positions": [Position(at: at, latitude: place.latitude, longitude: place.longitude)]])
    }

    /// Uploads a picture, and returns its digest.
    func upload(_ picture: [UInt8], of order: Int) async throws -> String {
        let digest = SHA256.hash(data: picture).hexString
        let path = "orders/\(order)/proofs/\(digest)"
        let kind = [URLQueryItem(name: "kind", value: "photo")]
        let response = try await send(.put, path, kind, headers: [.contentType: "image/png"], body: picture)
        guard (200..<300).contains(response.status.code) else { throw Failure(request: path, status: response.status.code) }
        return digest
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ query: [URLQueryItem] = [], headers: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> BackendResponse {
        var (headers, target) = (headers, url.appending(path: "api/v1/\(path)"))
        headers[.authorization] = "Bearer \(token)"
        target = target.appending(query: URLQuery(query.map { URLQuery.Item($0.name, $0.value) }))
        return try await client.response(
            to: RequestMessage(method: method, url: target, headers: headers, body: .bytes(body)), within: Self.limits)
    }
}
