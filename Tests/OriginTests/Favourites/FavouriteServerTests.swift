import Foundation
import HTTPFieldValues
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TemporaryFolders
import Testing

@testable import Origin

@Suite("Favourites over a socket", .timeLimit(.minutes(10)))
struct FavouriteServerTests {
    private static let body = #"{"favourite": true, "at": "2026-05-15T11:00:00Z"}"#
    private static let path = "/v1/deliveries/7/favourite"

    @Test func `Favourites and their keys survive a restart`() async throws {
        let directory = try TemporaryFolder()
        let put: @Sendable (URL) async throws -> String = { address in try await Self.send(.put, to: address, key: "a") }

        let first = try await withRunningOrigin(storage: .directory(directory.url), put)
        let (current, again, other) = try await withRunningOrigin(storage: .directory(directory.url)) { address in
            (
                try await Self.send(.get, to: address, key: nil), try await put(address),
                try await Self.send(.put, to: address, key: "a", body: Self.body.replacing("true", with: "false"))
            )
        }

        #expect(first == #"200 {"id":7,"favourite":true,"at":"2026-05-15T11:00:00Z"}"#)
        #expect(current == first && again == first)
        #expect(other.hasPrefix("422 "))
    }

    @Test func `Concurrent requests are each performed once and counted`() async throws {
        let origin = try await RunningOrigin()

        let responses = try await origin.run { address in
            try await withThrowingTaskGroup(of: String.self) { tasks in
                for number in 0..<40 { tasks.addTask { try await Self.send(.put, to: address, key: "key-\(number % 20)") } }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
        }

        #expect(responses.allSatisfy { $0.hasPrefix("200 ") || $0.hasPrefix("409 ") })
        #expect(responses.count { $0.hasPrefix("200 ") } >= 20)
        #expect(origin.counts.requests.favourites == 40)
    }

    /// Sends a request and returns the status and the body.
    private static func send(_ method: HTTPRequest.Method, to address: URL, key: String?, body: String = body) async throws -> String {
        try await TestClient.withClient(host: "127.0.0.1", port: try #require(address.port)) { client in
            var headers: HTTPFields = [.contentType: "application/json"]
            headers[.idempotencyKey] = key
            let response = try await client.execute(
                .init(
                    path, method: method, authority: "localhost", headers: headers,
                    body: method == .put ? ByteBuffer(string: body) : nil))
            return "\(response.status.code) \(response.body.map { String(buffer: $0) } ?? "")"
        }
    }
}
