import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingTesting
import NIOCore
import ServerStartup
import Testing

@testable import Window

/// Posts of a page to its session, including invalid ones.
@Suite struct SessionRoutesTests {
    private let executor = ScriptedExecutor()
    private let server: WindowServer

    init() async throws {
        server = try await WindowServer(executor: executor)
        executor.script("http://a.org/orders.plist", .response(text: Wire.list([("1", "http://a.org/1.xml")])))
        executor.script("http://a.org/1.xml", .response(text: Wire.order(title: "Soup")))
    }

    private func post(
        _ client: any TestClientProtocol, _ path: String, _ body: String, _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await client.execute(
            uri: path, method: .post, headers: headers.isEmpty ? [.contentType: "application/json"] : headers,
            body: ByteBuffer(string: body))
    }

    private func open(
        _ client: any TestClientProtocol, _ page: String = #"{"screen":"orders","first":0,"last":9}"#
    ) async throws -> String {
        let response = try await post(client, "/windows", page)
        #expect(response.status == .created)
        return try #require(response.text.firstMatch(of: /"window":"([0-9a-f-]+)"/)).output.1.description
    }

    @Test func `A page opens a session and posts to it`() async throws {
        try await server.application.test(.router) { client in
            let window = try await open(client)
            let report = #"{"list":"0","seq":1,"first":0,"last":3,"rowsPerSecond":2.5}"#

            for (action, body) in [("viewport", report), ("retry", #"{"row":"1"}"#), ("refresh", "{}")] {
                let status = try await post(client, "/windows/\(window)/\(action)", body).status
                #expect(status == .noContent)
            }
        }
    }

    @Test func `The page of one order ignores reports of a list, but refuses invalid ones`() async throws {
        try await server.application.test(.router) { client in
            let window = try await open(client, #"{"screen":"order","row":"1"}"#)
            let report = #"{"list":"0","seq":1,"first":0,"last":3}"#

            for (action, body) in [("viewport", report), ("arrange", #"{"search":"soup"}"#), ("read", #"{"all":true}"#)] {
                let status = try await post(client, "/windows/\(window)/\(action)", body).status
                let invalidStatus = try await post(client, "/windows/\(window)/\(action)", "[]").status
                #expect(status == .noContent && invalidStatus == .badRequest)
            }
        }
    }

    @Test func `A page reconnects to its session`() async throws {
        try await server.application.test(.router) { client in
            let window = try await open(client)

            let response = try await post(client, "/windows", #"{"screen":"orders","window":"\#(window)"}"#)

            #expect(response.status == .ok)
            #expect(response.text.contains(window))
        }
    }

    @Test func `A page that everybody may see keeps its session when somebody signs in`() async throws {
        try await server.application.test(.router) { client in
            let window = try await open(client)
            let headers: HTTPFields = [.contentType: "application/json", .cookie: "token=secret"]

            let refresh = try await post(client, "/windows/\(window)/refresh", "{}", headers)
            let reconnection = try await post(client, "/windows", #"{"screen":"orders","window":"\#(window)"}"#, headers)

            #expect(refresh.status == .noContent && reconnection.status == .ok)
        }
    }

    @Test func `Rendered pages that never connect evict each other, and an evicted page opens a new session`() async throws {
        try await server.application.test(.router) { client in
            var windows: [String] = []
            for _ in 0...WindowSessions.renderedLimit {
                let page = try await client.execute(uri: "/orders", method: .get, headers: [.accept: "text/html"])
                #expect(page.status == .ok)
                windows.append(try #require(page.text.firstMatch(of: /data-window="([0-9a-f-]+)"/)).output.1.description)
            }

            let last = try await post(client, "/windows", #"{"screen":"orders","window":"\#(windows[windows.count - 1])"}"#)
            let first = try await post(client, "/windows", #"{"screen":"orders","window":"\#(windows[0])"}"#)

            #expect(last.status == .ok)
            #expect(first.status == .created)
        }
    }

    @Test func `The page limit applies to the client named by a trusted proxy`() async throws {
        let proxies = TrustedProxies([try #require(AddressRange("127.0.0.0/8"))])
        let server = try await WindowServer(executor: executor, pagesPerClient: 1, proxies: proxies)

        try await server.application.test(.live) { client in
            func status(_ name: String) async throws -> HTTPResponse.Status {
                var headers: HTTPFields = [.contentType: "application/json"]
                headers[try #require(HTTPField.Name("X-Forwarded-For"))] = name
                return try await post(client, "/windows", #"{"screen":"orders"}"#, headers).status
            }

            var statuses: [Int] = []
            for name in ["192.0.2.1", "198.51.100.1, 192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"] {
                statuses.append(try await status(name).code)
            }
            #expect(statuses == [201, 503, 201, 201, 503])
        }
    }

    @Test func `The limit of all pages applies to pages without a known client too`() async throws {
        let server = try await WindowServer(executor: executor, pages: 2)

        try await server.application.test(.router) { client in
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await post(client, "/windows", #"{"screen":"orders"}"#).status.code) }

            #expect(statuses == [201, 201, 503])
        }
    }

    @Test func `An unknown session is gone`() async throws {
        try await server.application.test(.router) { client in
            for action in ["viewport", "retry", "refresh"] {
                let status = try await post(client, "/windows/unknown/\(action)", "{}").status
                #expect(status == .gone)
            }
            let stream = try await client.execute(uri: "/windows/unknown/events", method: .get)
            #expect(stream.status == .gone)
        }
    }

    @Test(arguments: ["", "[]", "{", #"{"list":1}"#, #"{"list":"0","seq":"x","first":0,"last":1}"#])
    func `A malformed report is refused`(body: String) async throws {
        try await server.application.test(.router) { client in
            let window = try await open(client)

            let status = try await post(client, "/windows/\(window)/viewport", body).status
            #expect(status == .badRequest)
        }
    }

    @Test(arguments: [
        #"{"list":"0","seq":1,"first":-9223372036854775808,"last":9223372036854775807}"#,
        #"{"list":"0","seq":2,"first":9223372036854775807,"last":0,"landing":-1,"rowsPerSecond":1e308}"#,
    ])
    func `A report with extreme values is accepted and clamped`(body: String) async throws {
        try await server.application.test(.router) { client in
            let window = try await open(client)

            let status = try await post(client, "/windows/\(window)/viewport", body).status
            #expect(status == .noContent)
        }
    }

    @Test(arguments: [Int.min, -1, Int.max])
    func `The time of a query may be any number`(time: Int) async throws {
        try await server.application.test(.router) { client in
            let window = try await open(client)

            for search in ["a", "b"] {
                let status = try await post(client, "/windows/\(window)/arrange", #"{"at":\#(time),"search":"\#(search)"}"#).status
                #expect(status == .noContent)
            }
        }
    }

    @Test func `A report of more rows than a screen shows is truncated`() throws {
        let report = try JSONDecoder().decode(
            ViewportReport.self, from: Data(#"{"list":"0","seq":1,"first":0,"last":1000000000000}"#.utf8))

        #expect(report.visible.count == 1_000)
    }

    @Test func `A report that is too long is refused`() async throws {
        try await server.application.test(.router) { client in
            let window = try await open(client)

            let response = try await post(client, "/windows/\(window)/retry", #"{"row":"\#(String(repeating: "1", count: 5_000))"}"#)

            #expect(response.status == .contentTooLarge)
        }
    }

    @Test(arguments: [
        ("Sec-Fetch-Site", "cross-site", false), ("Sec-Fetch-Site", "same-site", false), ("Sec-Fetch-Site", "same-origin", true),
        ("Origin", "http://evil.example", false), ("Origin", "null", false), ("Origin", "http://localhost", true),
    ])
    func `Only pages of this server may post`(name: String, value: String, isAllowed: Bool) async throws {
        try await server.application.test(.router) { client in
            var headers: HTTPFields = [.contentType: "application/json"]
            headers[try #require(HTTPField.Name(name))] = value

            let response = try await post(client, "/windows", #"{"screen":"orders"}"#, headers)

            #expect((response.status == .created) == isAllowed)
            #expect((response.status == .forbidden) == !isAllowed)
        }
    }

    @Test(arguments: [#"{"screen":"nothing"}"#, #"{"screen":"order","row":"x"}"#, #"{"screen":"order","row":"99"}"#])
    func `A screen that does not exist is refused`(body: String) async throws {
        try await server.application.test(.router) { client in
            let status = try await post(client, "/windows", body).status

            #expect(status == .badRequest || status == .notFound)
        }
    }
}
