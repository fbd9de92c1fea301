import Foundation
import HTTPTypes
import LadingHTTP
import NIOCore
import ScriptedServers
import Testing

extension CacheProxyTests {
    private static let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n"

    @Test func `Interim responses are forwarded once, before the final response`() async throws {
        let origin = try ScriptedServer { _ in
            [.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n\(Self.hints)")]
                + Self.ok("Cache-Control: max-age=60\r\n", "hello")
        }
        defer { origin.stop() }
        try await withProxy(for: origin.url("/")) { proxy, _ in
            let first = try await received(from: proxy, sending: "GET /a")
            let cached = try await received(from: proxy, sending: "GET /a")

            let heads = first.components(separatedBy: "\r\n\r\n")
            #expect(heads.map { $0.prefix(12) } == ["HTTP/1.1 102", "HTTP/1.1 103", "HTTP/1.1 200", "hello"])
            #expect(heads[1].lowercased().contains("link: </a.css>; rel=preload") && !heads[1].contains("X-Hop"))
            #expect(cached.hasPrefix("HTTP/1.1 200") && cached.hasSuffix("hello") && origin.log.requests.count == 1)
            #expect(origin.log.requests[0]["Lading-Exchange-Number"] == nil)
        }
    }

    @Test func `An interim response is forwarded before the origin has finished`() async throws {
        let origin = try ScriptedServer { _ in [.send(Self.hints), .pause] + Self.ok("", "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("/")) { proxy, _ in
            let channel = try await connection(to: proxy)
            try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                var all = ""
                for try await bytes in inbound {
                    // The origin continues only after its hints have been forwarded.
                    if all.isEmpty { origin.resume() }
                    all += String(buffer: bytes)
                }
                #expect(all.hasPrefix("HTTP/1.1 103") && all.hasSuffix("hello"))
            }
        }
    }

    @Test func `A client that expects 100 Continue sends its body after it`() async throws {
        let origin = try ScriptedServer { request in Self.ok("", "\(request.body.count)") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("/")) { proxy, _ in
            let channel = try await connection(to: proxy)
            try await channel.executeThenClose { inbound, outbound in
                let fields = "Host: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n"
                try await outbound.write(ByteBuffer(string: "PUT /a HTTP/1.1\r\n\(fields)\r\n"))
                var all = ""
                for try await bytes in inbound {
                    if all.isEmpty { try await outbound.write(ByteBuffer(string: "hello")) }
                    all += String(buffer: bytes)
                }
                #expect(all.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ") && all.hasSuffix("\r\n\r\n5"))
                #expect(origin.log.requests.map { $0["Expect"] } == [nil])
            }
        }
    }

    @Test func `An HTTP 1.0 client receives no interim responses, and a request field cannot select them`() async throws {
        let origin = try ScriptedServer { _ in [.send(Self.hints)] + Self.ok("", "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("/")) { proxy, client in
            let old = try await received(from: proxy, sending: "GET /", version: "1.0")
            let headers: HTTPFields = [HTTPField.Name("Lading-Exchange-Number")!: "1"]
            let response = try await client.response(to: RequestMessage(url: proxy, headers: headers))

            #expect(!old.contains(" 103 ") && old.contains(" 200 ") && old.contains("hello"))
            #expect(response.status == .ok && origin.log.requests.last?["Lading-Exchange-Number"] == nil)
        }
    }

    @Test func `The number of forwarded interim responses is limited`() async throws {
        let origin = try ScriptedServer { _ in [.sendRepeating(Array(Self.hints.utf8), times: 100)] + Self.ok("", "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("/")) { proxy, _ in
            let all = try await received(from: proxy, sending: "GET /")

            #expect(all.components(separatedBy: "HTTP/1.1 103").count == 17 && all.hasSuffix("hello"))
        }
    }
}
