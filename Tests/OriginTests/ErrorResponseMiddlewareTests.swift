import Foundation
import GRDB
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import OrderLifecycle
import ServerSecurity
import ServerStartup
import TemporaryFolders
import Testing

@testable import Origin

@Suite("Error responses")
struct ErrorResponseMiddlewareTests {
    private static let disconnectErrors: [any Error] = [
        CancellationError(), ChannelError.eof, ChannelError.ioOnClosedChannel, IOError(errnoCode: 104, reason: "read"),
    ]

    @Test(arguments: disconnectErrors.indices) func `A client disconnect is not an internal server error`(index: Int) async throws {
        let router = Router(context: OriginContext.self)
        router.add(middleware: ErrorResponseMiddleware(hosts: AllowedHosts(listeningOn: ListenAddress(port: 0)), methods: { _ in nil }))
        router.get("left") { _, _ -> Response in throw Self.disconnectErrors[index] }

        let response = try await Application(router: router, logger: silentLogger).test(.router) { client in
            try await client.executeRequest(uri: "/left", method: .get, headers: [:], body: nil)
        }

        #expect(response.status == .serviceUnavailable)
    }

    @Test(
        arguments: [
            (.delete, "orders/1", 405, "method-not-allowed", "GET, HEAD, PUT"), (.post, "counts", 405, "method-not-allowed", "GET, HEAD"),
            (.options, "people/1", 405, "method-not-allowed", "DELETE"),
            (.head, "orders/1/proofs/0", 401, "unauthorized", nil), (.get, "ordrs", 404, "not-found", nil),
            (.delete, "orders/1/2", 404, "not-found", nil), (.get, "", 404, "not-found", nil),
        ] as [(HTTPRequest.Method, String, Int, String, String?)])
    func `A request that no route of the API answers gets a problem document`(
        method: HTTPRequest.Method, path: String, status: Int, problem: String, allow: String?
    ) async throws {
        let response = try await makeOrigin().response(to: "/api/v1/\(path)", method: method)

        #expect(response.status.code == status && response.headers[.allow] == allow)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(method == .head || response.text.contains("urn:lading:problem:\(problem)"))
        #expect(!response.text.contains(#""final":true"#))
    }

    @Test(arguments: [("/api/v1/orders", "application/problem+json"), ("/health", "text/plain; charset=utf-8")])
    func `A request that is refused before its route gets a problem document of the API, and a line of text elsewhere`(
        path: String, type: String
    ) async throws {
        let response = try await makeOrigin().response(to: path, method: .post, headers: [.origin: "https://other.example"])

        #expect(response.status == .forbidden && response.headers[.contentType] == type)
        #expect(!response.text.contains(#""final":true"#))
    }

    @Test func `A write beside one that takes long gets status 503, and has no effect`() async throws {
        try await withTemporaryFolder { folder in
            let origin = try await makeOrigin(storage: .directory(folder))
            let token = try await origin.signIn("ada", .dispatcher)
            // A write would wait for seconds.
            try await origin.database.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
            let other = try Self.otherConnection(to: folder)

            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            let (order, favourite) = (try await createOrder(origin, token), try await setFavourite(origin, 1))
            try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            let again = try await createOrder(origin, token)

            #expect(order.status == .serviceUnavailable && order.text.contains("urn:lading:problem:unavailable"))
            #expect(order.headers[.retryAfter] != nil && again.status == .created)
            #expect(favourite.status == .serviceUnavailable && favourite.headers[.retryAfter] != nil)
            try other.close()
            try origin.database.close()
        }
    }

    /// Opens the database of an origin, for transactions that remain open.
    private static func otherConnection(to folder: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: folder.appending(path: OriginDatabase.fileName).path, configuration: configuration)
    }

    private func createOrder(_ origin: OriginServer, _ token: String) async throws -> TestResponse {
        try await origin.response(
            to: "/api/v1/orders", method: .post, headers: [.authorization: "Bearer \(token)", .idempotencyKey: "key"],
            body: #"{"title":"Soup","price":"1","currency":"EUR","destination":{"address":"1 Quay Street"}}"#)
    }

    /// Marks a delivery as a favourite, with a key derived from the number.
    private func setFavourite(_ origin: OriginServer, _ number: Int) async throws -> TestResponse {
        let key = "\(number)-\(String(repeating: "k", count: 200))"
        return try await origin.put("/v1/deliveries/7/favourite", true, at: "2026-05-15T12:00:00Z", key: key)
    }

    private static let diskFullErrors: [any Error] = [
        POSIXError(.ENOSPC), POSIXError(.EDQUOT), POSIXError(.EFBIG), DatabaseError(resultCode: .SQLITE_FULL),
        CocoaError(.fileWriteOutOfSpace),
    ]

    @Test(arguments: diskFullErrors.indices) func `A full disk is a problem with status 507`(index: Int) async throws {
        let router = Router(context: OriginContext.self)
        router.add(middleware: ErrorResponseMiddleware(hosts: AllowedHosts(listeningOn: ListenAddress(port: 0)), methods: { _ in nil }))
        router.get("full") { _, _ -> Response in throw Self.diskFullErrors[index] }

        let response = try await Application(router: router, logger: silentLogger).test(.router) { client in
            try await client.executeRequest(uri: "/full", method: .get, headers: [:], body: nil)
        }

        #expect(response.status.code == 507 && response.headers[.contentType] == "application/problem+json")
        #expect(response.text.contains(#""status":507"#))
    }

    @Test(.timeLimit(.minutes(10))) func `With a full database the origin serves what it can, and confirms nothing that is not stored`()
        async throws
    {
        let origin = try await makeOrigin()
        try await origin.database.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        var confirmed = 0
        var response = try await setFavourite(origin, confirmed)
        // The remaining space of the last pages accepts some writes.
        while response.status == .ok, confirmed < 10_000 {
            confirmed += 1
            response = try await setFavourite(origin, confirmed)
        }

        let stored = try await origin.database.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM idempotencyKeys") }
        #expect(response.status.code == 507 && response.headers[.contentType] == "application/problem+json")
        #expect(stored == confirmed)
        for path in ["/deliveries?offset=0&limit=20", "/swift-concurrency/orders.plist", "/mars-photos/api/v1/rovers"] {
            #expect(try await origin.response(to: path).status == .ok)
        }
    }
}
