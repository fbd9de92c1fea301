import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerSecurity
import ServerStartup
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
