import Foundation
import HTTPTypes
import LadingTesting
import ServerStartup
import Testing

/// The limit of exchanges per client.
extension CacheProxyTests {
    private static let origin = "http://origin.example"

    @Test func `A client at its limit of exchanges gets stored responses and 503, and others are served`() async throws {
        let (executor, gate) = (ScriptedExecutor(), Gate())
        executor.script("\(Self.origin)/stored", .response(headers: [.cacheControl: "max-age=60"], text: "stored"))
        executor.script("\(Self.origin)/slow", .response(text: "slow"), behind: gate)
        executor.script("\(Self.origin)/a", .response(text: "a"))
        let clients = ClientLimits(proxies: TrustedProxies([try #require(AddressRange("127.0.0.0/8"))]))
        let url = try #require(URL(string: Self.origin))
        try await withProxy(for: url, through: executor, clients: clients, exchangesPerClient: 1) { proxy, _ in
            _ = try await response("GET /stored", to: "2001:db8::1", from: proxy)
            async let slow = response("GET /slow", to: "2001:db8::1", from: proxy)
            await gate.waitForWaiters(count: 1)

            let refused = try await [
                response("GET /a", to: "2001:db8::2", from: proxy), response("PUT /a", to: "2001:db8::2", from: proxy),
            ]
            let stored = try await response("GET /stored", to: "2001:db8::1", from: proxy)
            let other = try await response("GET /a", to: "192.0.2.1", from: proxy)
            gate.open()
            let ended = try await slow
            let next = try await response("GET /a", to: "2001:db8::1", from: proxy)

            #expect(refused.allSatisfy { $0.hasPrefix("HTTP/1.1 503 ") && $0.contains("\r\nRetry-After: 5\r\n") })
            #expect([stored, other, ended, next].allSatisfy { $0.hasPrefix("HTTP/1.1 200 ") })
        }
    }

    /// Returns the response to a request that a trusted proxy forwards for a client.
    private func response(_ line: String, to client: String, from proxy: URL) async throws -> String {
        try await received(from: proxy, sending: line, fields: "Host: localhost\r\nX-Forwarded-For: \(client)\r\n")
    }
}
