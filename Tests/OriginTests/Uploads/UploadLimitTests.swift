import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PostgreSQLFixtures
import ServerStartup
import TemporaryFolders
import Testing

@testable import Origin

/// The limits on concurrent uploads, over a socket.
@Suite("Limits of uploads", .timeLimit(.minutes(10)))
struct UploadLimitTests {
    private func withClient(
        _ limits: UploadLimits, storage: OriginConfiguration.Storage? = nil,
        _ test: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        // In a directory, and then in a shared database.
        for database in storage == nil ? [nil, try await PostgreSQLServer.makeDatabase()] : [nil] {
            var configuration = OriginConfiguration(storage: storage ?? .inMemory, orderCount: 1, deliveryCount: 0)
            configuration.uploadLimits = limits
            configuration.sharedDatabase = database
            configuration.clientLimits.proxies = TrustedProxies(["127.0.0.0/8", "::1"].compactMap { AddressRange($0) })
            let origin = try await OriginServer(configuration, logger: silentLogger, now: { demoDate })
            try await origin.application.test(.live) { try await test($0) }
        }
    }

    /// Creates an upload for a client that a trusted proxy identifies.
    private func begin(_ client: some TestClientProtocol, for address: String) async throws -> TestResponse {
        var fields: HTTPFields = [.uploadComplete: "?0"]
        fields[try #require(HTTPField.Name("X-Forwarded-For"))] = address
        return try await client.executeRequest(uri: "/uploads/fox.txt", method: .post, headers: fields, body: nil)
    }

    @Test func `An upload beyond the limit of a client gets 429 with Retry-After`() async throws {
        try await withClient(UploadLimits(perClient: 2)) { client in
            let first = try await begin(client, for: "2001:db8::1")
            let second = try await begin(client, for: "2001:db8::2")
            let excess = try await begin(client, for: "2001:db8::3")
            let other = try await begin(client, for: "2001:db8:0:1::1")

            #expect([first, second, excess, other].map(\.status) == [.created, .created, .tooManyRequests, .created])
            #expect(excess.headers[.contentType] == "application/problem+json" && excess.headers[.cacheControl] == "no-store")
            #expect(excess.headers[.retryAfter] == "30" && excess.text.contains("\"status\":429"))
        }
    }

    @Test func `An upload beyond the total limit gets 503 with Retry-After`() async throws {
        try await withClient(UploadLimits(total: 1)) { client in
            let first = try await begin(client, for: "192.0.2.1")
            let excess = try await begin(client, for: "192.0.2.2")

            #expect([first, excess].map(\.status) == [.created, .serviceUnavailable])
            #expect(excess.headers[.contentType] == "application/problem+json" && excess.headers[.retryAfter] == "30")
        }
    }

    @Test func `A file beyond the space of all files gets 507, which names the option, and frees the space of its content`() async throws {
        try await withClient(UploadLimits(space: 20_000)) { client in
            func send(_ method: HTTPRequest.Method, _ name: String, _ count: Int, _ fields: HTTPFields = [:]) async throws -> TestResponse {
                let content = ByteBuffer(repeating: 65, count: count)
                return try await client.executeRequest(uri: "/uploads/\(name)", method: method, headers: fields, body: content)
            }
            let first = try await send(.put, "first", 10_000)
            let announced = try await send(.put, "second", 10_000)
            let begun = try await send(.post, "third", 10_000, [.uploadComplete: "?0"])
            let small = try await send(.put, "fourth", 1_000)
            let empty = try await send(.put, "fifth", 0)

            #expect([first, announced, begun, small, empty].map(\.status.code) == [201, 507, 507, 201, 507])
            #expect(announced.headers[.contentType] == "application/problem+json" && announced.text.contains("--upload-space"))
        }
    }

    /// In a shared database a replaced file counts for another hour.
    @Test func `A full space has room for another file when one is replaced by an empty one, as the refusal says`() async throws {
        try await withClient(UploadLimits(space: 20_000), storage: .inMemory) { client in
            func put(_ name: String, _ count: Int) async throws -> TestResponse {
                let content = ByteBuffer(repeating: 65, count: count)
                return try await client.executeRequest(uri: "/uploads/\(name)", method: .put, headers: [:], body: content)
            }
            let first = try await put("first", 10_000)
            let refused = try await put("second", 10_000)
            let replacement = try await put("first", 0)
            let repeated = try await put("second", 10_000)

            #expect([first, refused, replacement, repeated].map(\.status.code) == [201, 507, 200, 201])
            #expect(refused.text.contains("Replace files by empty ones"))
        }
    }

    @Test func `A client may begin another upload when one of its own is cancelled or complete`() async throws {
        try await withClient(UploadLimits(perClient: 1)) { client in
            let first = try await begin(client, for: "192.0.2.1")
            let part = try #require(first.headers[.location])
            let cancelled = try await client.executeRequest(uri: part, method: .delete, headers: [:], body: nil)
            let second = try await begin(client, for: "192.0.2.1")
            let last: HTTPFields = [.contentType: "application/partial-upload", .uploadOffset: "0", .uploadComplete: "?1"]
            let complete = try await client.executeRequest(
                uri: try #require(second.headers[.location]), method: .patch, headers: last, body: nil)
            let third = try await begin(client, for: "192.0.2.1")

            #expect([cancelled, second, complete, third].map(\.status) == [.noContent, .created, .created, .created])
        }
    }

    @Test func `Uploads from before a restart count for no client`() async throws {
        let directory = try TemporaryFolder()
        for _ in 0..<2 {
            try await withClient(UploadLimits(total: 3, perClient: 1), storage: .directory(directory.url)) { client in
                let first = try await begin(client, for: "192.0.2.1")
                let excess = try await begin(client, for: "192.0.2.1")

                #expect([first, excess].map(\.status) == [.created, .tooManyRequests])
            }
        }
    }
}
