import Foundation
import HTTPTypes
import LadingHTTP
import LadingNIO
import LadingTesting
import ScriptedServers
import Testing

extension ServerJourneys {
    /// A window that forwards the photos of phones with slow connections.
    @Suite struct SlowUploadsJourneyTests {
        private static let length = 100_000
        private static let uploadCount = 8

        private let executor = AsyncHTTPClientExecutor(connectionsPerHost: 20, readTimeout: .seconds(60))
        /// The number of proofs that have begun to arrive at the server.
        private let arrivals = ObservableValue(0)

        @Test func `Claims and other couriers do not wait for slow photos`() async throws {
            let origin = try startOrigin()
            defer { origin.stop() }
            let (window, address) = try await Program.start(
                "window", "--port", "0", "--in-memory", "--origin", origin.url("").absoluteString, announcing: "Lading is at ")
            // The second half of each photo arrives after everything else.
            let halves = (0..<Self.uploadCount).map { _ in AsyncStream.makeStream(of: [UInt8].self) }
            let uploads = halves.map { half in
                half.continuation.yield([UInt8](repeating: 0, count: Self.length / 2))
                let body = RequestBody.stream(length: Self.length) { half.stream }
                return Task { try await send(.patch, "orders/3/proofs/d?kind=photo", of: "mina", to: address, body) }
            }
            try await arrivals.wait { $0 == Self.uploadCount }

            let photo = RequestBody.bytes([UInt8](repeating: 0, count: Self.length))
            let ninth = try await send(.patch, "orders/3/proofs/d?kind=photo", of: "mina", to: address, photo)
            let own = try await send(.post, "orders/3/claim", of: "mina", to: address, .bytes(Array("{}".utf8)))
            let claim = try await send(.post, "orders/3/claim", of: "jonas", to: address, .bytes(Array("{}".utf8)))
            let other = try await send(.patch, "orders/4/proofs/d?kind=photo", of: "jonas", to: address, photo)
            for half in halves {
                half.continuation.yield([UInt8](repeating: 0, count: Self.length / 2))
                half.continuation.finish()
            }

            #expect(ninth.status == .serviceUnavailable && ninth.headers[.retryAfter] == "10")
            #expect([own.status, claim.status, other.status] == [.ok, .ok, .noContent])
            for upload in uploads { #expect(try await upload.value.status == .noContent) }
            #expect(await window.terminate() == 0)
            try await executor.shutdown()
        }

        /// Starts a server that accepts proofs and claims of everybody, and has no lists.
        private func startOrigin() throws -> ScriptedServer {
            try ScriptedServer(beforeBody: { [arrivals] request in
                if request.method == "PATCH" { arrivals.change { $0 += 1 } }
                return []
            }) { request in
                if request.method == "PATCH" { return [.send("HTTP/1.1 204 No Content\r\nUpload-Complete: ?1\r\n\r\n")] }
                let isClaim = request.target.hasSuffix("/claim")
                return [.send("HTTP/1.1 \(isClaim ? "200 OK" : "404 Not Found")\r\nContent-Length: 0\r\n\r\n")]
            }
        }

        /// Sends a write of a courier, as the script of the page does, and returns the head of the response.
        private func send(
            _ method: HTTPRequest.Method, _ path: String, of courier: String, to address: String, _ body: RequestBody
        ) async throws -> ResponseHead {
            let headers: HTTPFields = [.cookie: "token=\(courier)", .origin: String(address.dropLast()), .contentType: "application/json"]
            let url = try #require(URL(string: address + path))
            let message = RequestMessage(method: method, url: url, headers: headers, body: body)
            return try await executor.execute(message, timeLimit: .seconds(60)) { head, _ in head }
        }
    }
}
