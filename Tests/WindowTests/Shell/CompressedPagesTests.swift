import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import NIOCore
import Testing

@testable import CacheTraces
@testable import ContentCoding
@testable import Window

/// Compression of pages that contain text of the user or of an attacker who triggers requests (BREACH).
@Suite struct CompressedPagesTests {
    private let executor = ScriptedExecutor()
    private let server: WindowServer
    private let searchPath = "/orders?search=Soup-Kitchen-Lane"

    init() async throws {
        server = try await WindowServer(executor: executor)
        executor.script("http://a.org/orders.plist", .response(text: Wire.list([("1", "http://a.org/1.xml")])))
        executor.script("http://a.org/1.xml", .response(text: Wire.order(title: "Soup")))
    }

    private func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var fields: HTTPFields = [.accept: "text/html", .acceptEncoding: "gzip"]
        for field in headers { fields[field.name] = field.value }
        return try await server.application.test(.router) { [fields] client in
            try await client.execute(uri: path, method: .get, headers: fields)
        }
    }

    private func text(_ response: TestResponse) throws -> String {
        guard response.headers[.contentEncoding] == "gzip" else { return String(buffer: response.body) }
        var content = Data()
        try GzipDecoder().inflate(Data(response.body.readableBytesView)) { content += $0 }
        return String(decoding: content, as: UTF8.self)
    }

    private func site(_ value: String) -> HTTPFields { [HTTPField.Name("Sec-Fetch-Site")!: value] }

    @Test(arguments: ["cross-site", "same-site"])
    func `A page with a search from another site is not compressed`(from: String) async throws {
        let response = try await get(searchPath, site(from))

        #expect(response.headers[.contentEncoding] == nil)
        #expect(try text(response).contains("Soup-Kitchen-Lane"))
    }

    @Test(arguments: ["same-origin", "none"])
    func `A page with a search from the same site is compressed`(from: String) async throws {
        let response = try await get(searchPath, site(from))

        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(try text(response).contains("Soup-Kitchen-Lane"))
    }

    @Test func `The session id, the only secret of a page, differs in each response`() async throws {
        let id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/
        var (ids, tokens) = (Set<String>(), Set<String>())
        _ = try await get(searchPath)  // the orders are loaded from here on

        for _ in 0..<3 {
            let page = try text(try await get(searchPath))
            ids.formUnion(page.matches(of: id).map { String($0.output.0) })
            let others = page.replacing(id, with: "").matches(of: /[0-9A-Za-z_=+-]{12,}/).map { String($0.output) }
            tokens.insert(Set(others.filter { $0.contains(/[0-9]/) }).sorted().joined(separator: " "))
        }

        #expect(ids.count == 3)
        #expect(tokens.count == 1)
    }

    @Test(arguments: ["/", "/orders?search=a", "/orders?plain=1&search=a", "/orders/1", "/deliveries?search=a", "/operations"])
    func `Credentials of a request appear in no page`(path: String) async throws {
        let secret = "s3cr3t-of-the-reader"

        let page = try text(try await get(path, [.cookie: "session=\(secret); other=\(secret)", .authorization: "Bearer \(secret)"]))

        #expect(page.contains("</html>"))
        #expect(!page.contains(secret))
    }

    @Test func `A script is sent compressed or plain as negotiated`() async throws {
        let page = try text(try await get("/orders"))
        let path = String(try #require(page.firstMatch(of: /src="(\/assets\/[0-9a-f]+\/app\.js)"/)).output.1)

        let (gzipped, plain) = (try await get(path), try await get(path, [.acceptEncoding: "identity"]))

        #expect(gzipped.headers[.contentEncoding] == "gzip")
        #expect(gzipped.headers[.contentLength] == "\(gzipped.body.readableBytes)")
        #expect(plain.headers[.contentEncoding] == nil)
        #expect(try text(gzipped) == String(buffer: plain.body))
        #expect(gzipped.headers[.vary] == "Accept-Encoding" && plain.headers[.vary] == "Accept-Encoding")
    }

    @Test func `A compressed stream holds the events of the plain one`() throws {
        let events = [WindowEvent(name: "list", data: "{}"), WindowEvent(name: "rows", data: String(repeating: "[1,2,3]", count: 100))]
        let coding = EventStreamCoding.gzip(GzipBlockCache())

        var content = Data()
        let decoder = GzipDecoder()
        for buffer in [coding.preamble, events.stream(endingAt: 7, coding: coding), coding.encode("event: beat\ndata: {}\n\n")] {
            try decoder.inflate(Data(buffer.readableBytesView)) { content += $0 }
        }

        #expect(
            String(decoding: content, as: UTF8.self)
                == "retry: 1000\n\n" + String(buffer: events.stream(endingAt: 7)) + "event: beat\ndata: {}\n\n")
    }
}
