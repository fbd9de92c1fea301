import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import NIOCore
import ScriptedServers
import ServerStartup
import Testing
@testable import CacheProxy

/// Requests that the proxy changes, answers itself or forwards unchanged.
extension CacheProxyTests {
    // MARK: Last recipient

    @Test(arguments: [
        ("OPTIONS /a", "Max-Forwards: 0\r\n", 204), ("TRACE /a", "Max-Forwards: 0\r\n", 405), ("OPTIONS *", "", 204),
        ("OPTIONS *", "Max-Forwards: 3\r\n", 204),
    ])
    func `The proxy responds to a request that must not be forwarded`(line: String, fields: String, code: Int) async throws {
        try await withProxy(for: try ScriptedServer.unreachableURL()) { proxy, _ in
            let text = try await received(from: proxy, sending: line, fields: "Host: localhost\r\n\(fields)")

            #expect(text.hasPrefix("HTTP/1.1 \(code) ") && text.contains("\r\nAllow: GET, "))
        }
    }

    @Test(
        arguments: [
            ("OPTIONS", "10", "9"), ("TRACE", "1", "0"), ("GET", "0", "0"), ("OPTIONS", "many", "many"), ("OPTIONS", nil, nil),
        ] as [(String, String?, String?)])
    func `The number of further proxies is decremented`(method: String, count: String?, forwarded: String?) async throws {
        let origin = try ScriptedServer { _ in Self.ok("", "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let fields = "Host: localhost\r\n" + (count.map { "Max-Forwards: \($0)\r\n" } ?? "")
            let text = try await received(from: proxy, sending: "\(method) /a", fields: fields)

            #expect(text.hasPrefix("HTTP/1.1 200 ") && origin.log.requests.map { $0["Max-Forwards"] } == [forwarded])
        }
    }

    // MARK: HTTP/1.0

    @Test func `A client of HTTP/1.0 receives a body that ends with the connection, and is named in Via`() async throws {
        let origin = try ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")]
        }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let text = try await received(from: proxy, sending: "GET /a", version: "1.0", connection: nil)

            #expect(text.hasPrefix("HTTP/1.0 200 ") && text.hasSuffix("\r\n\r\nhello"))
            #expect(!text.lowercased().contains("transfer-encoding"))
            #expect(origin.log.requests[0]["Via"] == "1.0 lading" && origin.log.requests[0]["Lading-Request-Version"] == nil)
        }
    }

    @Test func `A request that closes its connection is forwarded without the fields of that connection`() async throws {
        let origin = try ScriptedServer { _ in Self.ok("", "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let fields = "Host: localhost\r\nX-Hop: 1\r\nX-Kept: 2\r\n"
            let text = try await received(from: proxy, sending: "GET /a", fields: fields, connection: "X-Hop, Close")

            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("hello"))
            #expect(origin.log.requests[0]["X-Hop"] == nil && origin.log.requests[0]["X-Kept"] == "2")
            #expect(origin.log.requests[0]["Via"] == "1.1 lading" && origin.log.requests[0]["Proxy-Connection"] == nil)
        }
    }

    // MARK: Forwarded requests

    @Test(arguments: [
        "/", "/a%2Fb%2fc", "/a/../b/./c", "//a//b/", "/a?", "/?", "/a?b=%26&&c", "/%7Ea", "/a?x={b}|c", "/a|b", "/a;b=1,c", "/a?b?c",
        "/a:b@c",
    ])
    func `A path is forwarded unchanged`(target: String) async throws {
        let origin = try ScriptedServer { _ in Self.ok("Cache-Control: max-age=60\r\n", "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("/base%2F/")) { proxy, _ in
            let texts = [
                try await received(from: proxy, sending: "GET \(target)"),
                try await received(from: proxy, sending: "POST \(target)", fields: "Host: localhost\r\nContent-Length: 0\r\n"),
            ]

            #expect(texts.allSatisfy { $0.hasPrefix("HTTP/1.1 200 ") })
            #expect(origin.log.requests.map(\.target) == ["/base%2F\(target)", "/base%2F\(target)"])
        }
    }

    @Test func `Paths that differ only in their encoding are cached separately`() async throws {
        let origin = try ScriptedServer { request in Self.ok("Cache-Control: max-age=60\r\n", request.target) }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let targets = ["/a|b", "/a%7Cb", "/a|b", "/a%7Cb"]
            var bodies: [String] = []
            for target in targets {
                let text = try await received(from: proxy, sending: "GET \(target)")
                bodies.append(text.components(separatedBy: "\r\n\r\n").last ?? "")
            }

            #expect(bodies == targets)
            #expect(origin.log.requests.map(\.target) == ["/a|b", "/a%7Cb", "/a|b"])
        }
    }

    @Test func `Forwarded fields of a client are removed`() async throws {
        let origin = try ScriptedServer { _ in Self.ok("", "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let claims = [
                "Forwarded: for=10.0.0.1", "X-Forwarded-For: 10.0.0.1", "x-forwarded-host: a.org", "X-Forwarded-Anything: 1",
                "X-Real-IP: 1",
            ]
            let fields = (["Host: localhost"] + claims + ["X-Kept: 1"]).map { "\($0)\r\n" }.joined()
            _ = try await received(from: proxy, sending: "GET /a", fields: fields)

            let names = origin.log.requests.flatMap(\.fields).map { $0.name.lowercased() }
            #expect(!names.contains { $0.contains("forwarded") || $0 == "x-real-ip" })
            #expect(names.contains("x-kept"))
        }
    }
}
