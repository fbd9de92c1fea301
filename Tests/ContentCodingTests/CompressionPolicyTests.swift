import HTTPTypes
import Testing

@testable import ContentCoding

@Suite("Compression policy") struct CompressionPolicyTests {
    private let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!

    private func action(
        _ fields: HTTPFields = [.contentType: "text/html; charset=utf-8"], status: HTTPResponse.Status = .ok, length: Int? = 5_000,
        method: HTTPRequest.Method = .get, path: String = "/orders", request: HTTPFields = [.acceptEncoding: "gzip"]
    ) -> CompressionPolicy.Action {
        CompressionPolicy().action(
            for: HTTPResponse(status: status, headerFields: fields), length: length,
            request: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path, headerFields: request))
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", CompressionPolicy.Action.compress), ("TEXT/CSS", .compress), ("application/json", .compress),
        ("application/problem+json", .compress), ("application/x-plist", .compress), ("application/xml;charset=utf-8", .compress),
        ("image/svg+xml", .compress), ("application/manifest+json", .compress), ("image/png", .passThrough), ("image/jpeg", .passThrough),
        ("application/octet-stream", .passThrough), ("application/zip", .passThrough), ("text/event-stream", .passThrough),
        ("text/event-stream; charset=utf-8", .passThrough), ("", .passThrough),
    ])
    func `Text types are compressed, compressed types are not`(type: String, verdict expected: CompressionPolicy.Action) {
        #expect(action([.contentType: type]) == expected)
    }

    @Test func `Content without a type is not compressed`() {
        #expect(action([:]) == .passThrough)
    }

    @Test(arguments: [
        (Int?.none, CompressionPolicy.Action.compress), (CompressionPolicy.minimumLength, .compress),
        (CompressionPolicy.minimumLength - 1, .passThrough), (931, .compress), (300, .passThrough),
        (0, .passThrough),
    ])
    func `Short content is not compressed`(length: Int?, expected: CompressionPolicy.Action) {
        #expect(action(length: length) == expected)
    }

    @Test func `Short content is compressed for a client that excludes identity`() {
        #expect(action(length: 10, request: [.acceptEncoding: "gzip, identity;q=0"]) == .compress)
    }

    @Test(arguments: [200, 201, 404, 500])
    func `Error pages are compressed`(code: Int) {
        #expect(action(status: .init(code: code)) == .compress)
    }

    @Test(arguments: [204, 206])
    func `Partial responses and responses without content are not compressed`(code: Int) {
        #expect(action(status: .init(code: code)) == .passThrough)
    }

    @Test(arguments: [("text/html", CompressionPolicy.Action.addVary), ("image/png", .passThrough)])
    func `A 304 has the Vary of its 200`(type: String, expected: CompressionPolicy.Action) {
        #expect(action([.contentType: type], status: .notModified, length: 0) == expected)
        #expect(action([.contentType: type], status: .notModified, request: [:]) == expected)
    }

    @Test func `Encoded, partial and no-transform responses are not compressed`() {
        #expect(action([.contentType: "text/html", .contentEncoding: "br"]) == .passThrough)
        #expect(action([.contentType: "text/html", .contentRange: "bytes */5"], status: .rangeNotSatisfiable) == .passThrough)
        #expect(action([.contentType: "text/html", .cacheControl: "max-age=60, No-Transform"]) == .passThrough)
    }

    @Test func `Uncompressed responses to clients without gzip, range requests and HEAD get Vary`() {
        #expect(action(request: [:]) == .addVary)
        #expect(action(request: [.acceptEncoding: "gzip;q=0"]) == .addVary)
        #expect(action(request: [.acceptEncoding: "gzip", .range: "bytes=0-9"]) == .addVary)
        #expect(action(method: .head) == .addVary)
    }

    @Test(arguments: [
        ("cross-site", "/orders?search=a", false), ("same-site", "/orders?search=a", false), ("nonsense", "/orders?search=a", false),
        ("cross-site", "/orders", true), ("same-origin", "/orders?search=a", true), ("none", "/orders?search=a", true),
        (nil, "/orders?search=a", true),
    ])
    func `A response to a cross-site request with a query is not compressed`(site: String?, path: String, isCompressed: Bool) {
        var fields: HTTPFields = [.acceptEncoding: "gzip"]
        fields[secFetchSite] = site

        #expect(action(path: path, request: fields) == (isCompressed ? .compress : .addVary))
    }
}
