import Digests
import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOEmbedded
import NIOPosix
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import Synchronization

@testable import OrderAPI

struct APIContext: OrderAPIContext {
    var coreContext: CoreRequestContextStorage
    let peer: SocketAddress?
    /// A running loop, unlike that of the channel of a test.
    let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()

    init(source: Source) {
        coreContext = .init(source: source)
        peer = nil
    }
}

/// An API over a store in memory, with a clock that a test sets, two couriers and a dispatcher.
final class OrderAPIFixture: Sendable {
    static let start = Timestamp(milliseconds: 1_778_846_400_000)
    static let (mina, jonas, ada) = ("mina", "jonas", "ada")
    static let breakfast = """
        {"title":"Breakfast","price":"42.50","currency":"EUR","pin":"1234","due":"2026-05-15T14:00:00Z",\
        "destination":{"address":"1 Quay Street","latitude":40.7,"longitude":-74},"items":[{"id":3,"quantity":"1.5","unit":"kg"}]}
        """

    let api: OrderAPI
    let store: SQLiteOrderStore
    private let application: Application<RouterResponder<APIContext>>

    init(_ settings: OrderAPI.Settings = .init()) async throws {
        store = try SQLiteOrderStore.inMemory()
        let clock = Clock()
        self.clock = clock
        api = OrderAPI(store, settings: settings) { clock.now }
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        api.add(to: router)
        application = Application(router: router)
        for (id, role) in [(Self.mina, Role.courier), (Self.jonas, .courier), (Self.ada, .dispatcher)] {
            let person = PersonID(rawValue: id)
            try await store.addPerson(Person(id: person, name: id.capitalized, role: role, creationTime: Self.start))
            try await store.addToken(SecretHash(ofSecret: id), of: person, expires: Self.start + .seconds(90 * 86_400))
        }
    }

    final class Clock: Sendable {
        private let time = Mutex(OrderAPIFixture.start)
        var now: Timestamp { time.withLock(\.self) }
        func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
    }

    let clock: Clock

    /// Sends a request with the token of a person, which is the person's id, and with a key of its own unless one is given.
    @discardableResult
    func send(
        _ method: HTTPRequest.Method, _ path: String, as person: String? = nil, key: String? = UUID().uuidString, fence: String? = nil,
        headers: HTTPFields = [:], body: String? = nil, bytes: [UInt8]? = nil
    ) async throws -> APIResponse {
        var headers = headers
        if let person { headers[.authorization] = "Bearer \(person)" }
        if let key { headers[.idempotencyKey] = key }
        if let fence { headers[.ifMatch] = "\"\(fence)\"" }
        let content = bytes.map { ByteBuffer(bytes: $0) } ?? body.map { ByteBuffer(string: $0) }
        let response = try await application.test(.router) { [headers] client in
            try await client.executeRequest(uri: "/api/v1/\(path)", method: method, headers: headers, body: content)
        }
        return APIResponse(response)
    }

    /// Sends a request with the token of a person, and returns the response without writing its body.
    ///
    /// - Parameter action: Called before the end of the request's body.
    func respond(
        to method: HTTPRequest.Method, _ path: String, as person: String, sending text: String? = nil, headers: HTTPFields = [:],
        beforeEnd action: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> Response {
        let parts = Mutex(text.map { [ByteBuffer(string: $0)] } ?? [])
        let stream = AsyncThrowingStream {
            if let part = parts.withLock({ $0.popLast() }) { return part }
            try await action()
            return nil
        }
        var headers = headers
        headers[.authorization] = "Bearer \(person)"
        headers[.idempotencyKey] = UUID().uuidString
        let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: "/api/v1/\(path)", headerFields: headers)
        let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "api-tests"))
        return try await application.responder.respond(
            to: Request(head: head, body: RequestBody(asyncSequence: stream)), context: APIContext(source: source))
    }

    /// Creates an order and returns its path.
    func createOrder(_ body: String = OrderAPIFixture.breakfast) async throws -> String {
        let response = try await send(.post, "orders", as: Self.ada, body: body)
        return "orders/\(response["order"] as? Int ?? 0)"
    }

    /// Creates an order and brings it to a courier at the door.
    func arrivedOrder() async throws -> String {
        let path = try await createOrder()
        try await send(.post, "\(path)/claim", as: Self.mina)
        try await send(.post, "\(path)/pick-up", as: Self.mina, fence: "1")
        try await send(.post, "\(path)/arrive", as: Self.mina, fence: "1")
        return path
    }
}

/// A response with its JSON object.
struct APIResponse {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]

    init(_ response: TestResponse) {
        status = response.status.code
        headers = response.headers
        bytes = [UInt8](response.body.readableBytesView)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    private var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:] }

    subscript(field: String) -> Any? { object[field] }

    /// The last part of the type of a problem document.
    var problem: String? {
        guard headers[.contentType] == "application/problem+json", let type = object["type"] as? String else { return nil }
        return type.split(separator: ":").last.map(String.init)
    }

    var isFinal: Bool? { object["final"] as? Bool }

    /// The titles of a page of orders.
    var titles: [String] { (object["orders"] as? [[String: Any]])?.compactMap { $0["title"] as? String } ?? [] }
}

/// Returns the digest of bytes, in hexadecimal digits.
func digest(_ bytes: [UInt8]) -> String { SHA256.hash(data: bytes).hexString }
