import Foundation
import HTTPTypes
import LadingCaching
import LadingFirebase
import LadingHTTP
import LadingTesting
import LadingTransfers
import Testing

/// Tests of the database with a client that has a circuit breaker, interceptors or a cache.
@Suite struct ScriptedDatabaseTests {
    private let executor = ScriptedExecutor()
    private let clock = ManualClock()
    private let ordersURL = "https://groceries-default-rtdb.firebaseio.com/orders.json"
    private let event = Array("event: put\ndata: {\"path\":\"/\",\"data\":7}\n\n".utf8)
    private let credential = FirebaseCredential(
        userID: "user-1", email: nil, idToken: "token-1", refreshToken: "refresh-1", expires: .distantFuture)

    private func project() throws -> FirebaseProject { try FirebaseProject(id: "groceries", apiKey: "key") }

    @Test func `A closed stream does not count as a failure of its host`() async throws {
        let retries = RetryControl(circuit: CircuitLimits(minimumOutcomes: 1), clock: clock)
        let client = BackendClient(executor: executor, clock: clock, retries: retries)
        let database = RealtimeDatabase(try project(), client: client, retryPolicy: TransferRetryPolicy(attempts: 1), clock: clock)
        executor.script(ordersURL, .chunks([event], headers: [.contentType: "text/event-stream"]), .response(text: "7"))
        var events: [DatabaseEvent] = []

        do {
            for try await event in try database.reference("orders").events() { events.append(event) }
        } catch BackendError.interrupted {
            // Only one attempt is allowed.
        }

        #expect(events == [.put([], 7)])
        #expect(try await database.reference("orders").get(Int.self) == 7)
    }

    @Test func `Interceptors change the request of a stream, and see no token`() async throws {
        let log = Log()
        let client = BackendClient(executor: executor, clock: clock, interceptors: [AppCheckInterceptor(log: log)])
        let authentication = FirebaseAuthentication(try project(), client: client, credential: credential)
        let database = RealtimeDatabase(
            try project(), client: client, authentication: authentication, retryPolicy: TransferRetryPolicy(attempts: 1), clock: clock)
        executor.script("\(ordersURL)?auth=token-1", .chunks([event], headers: [.contentType: "text/event-stream"]))
        var events = try database.reference("orders").events().makeAsyncIterator()

        #expect(try await events.next() == .put([], 7))
        #expect(executor.requests.map { $0.headers[AppCheckInterceptor.field] } == ["attested"])
        #expect(log.lines == ["\(ordersURL) -"])
    }

    @Test func `A token does not change the query of a request`() async throws {
        let client = BackendClient(executor: executor)
        let authentication = FirebaseAuthentication(try project(), client: client, credential: credential)
        let database = RealtimeDatabase(try project(), client: client, authentication: authentication)
        let url = "\(ordersURL)?orderBy=%22phone%22&equalTo=%22%2B4912%22&auth=token-1"
        executor.script(url, .response(text: "{}"))

        _ = try await database.reference("orders").get(
            [String: JSONValue].self, where: DatabaseQuery(by: .child("phone")).equal(to: "+4912"))

        #expect(executor.requestedURLs == [url])
    }

    @Test func `A response to a URL with a token is not cached`() async throws {
        let store = MemoryBlobStore(byteLimit: 1 << 20)
        let client = BackendClient(executor: executor, cache: HTTPCache(store: store))
        let authentication = FirebaseAuthentication(try project(), client: client, credential: credential)
        let database = RealtimeDatabase(try project(), client: client, authentication: authentication)
        executor.script("\(ordersURL)?auth=token-1", .response(headers: [.cacheControl: "max-age=60", .eTag: "\"a\""], text: "7"))

        for _ in 1...2 { #expect(try await database.reference("orders").get(Int.self) == 7) }

        #expect(executor.requestedURLs == ["\(ordersURL)?auth=token-1", "\(ordersURL)?auth=token-1"])
        #expect(try await store.blobs(in: "\(ordersURL)?auth=token-1").isEmpty)
    }
}
