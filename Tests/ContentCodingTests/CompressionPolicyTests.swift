import HTTPTypes
import Testing

@testable import ContentCoding

@Suite("Which responses are compressed") struct CompressionPolicyTests {
    private let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!

    private func verdict(
        _ fields: HTTPFields = [.contentType: "text/html; charset=utf-8"], status: HTTPResponse.Status = .ok, length: Int? = 5_000,
        method: HTTPRequest.Method = .get, path: String = "/orders", asking request: HTTPFields = [.acceptEncoding: "gzip"]
    ) -> CompressionPolicy.Verdict {
        CompressionPolicy().verdict(
            on: HTTPResponse(status: status, headerFields: fields), length: length,
            for: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path, headerFields: request))
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", CompressionPolicy.Verdict.compress), ("TEXT/CSS", .compress), ("application/json", .compress),
        ("application/problem+json", .compress), ("application/x-plist", .compress), ("application/xml;charset=utf-8", .compress),
        ("image/svg+xml", .compress), ("application/manifest+json", .compress), ("image/png", .leave), ("image/jpeg", .leave),
        ("application/octet-stream", .leave), ("application/zip", .leave), ("text/event-stream", .leave),
        ("text/event-stream; charset=utf-8", .leave), ("", .leave),
    ])
    func `Texts are compressed, and what is compressed already is not`(type: String, verdict expected: CompressionPolicy.Verdict) {
        #expect(verdict([.contentType: type]) == expected)
    }

    @Test func `Content without a type is left as it is`() {
        #expect(verdict([:]) == .leave)
    }

    @Test(arguments: [
        (Int?.none, CompressionPolicy.Verdict.compress), (CompressionPolicy.leastLength, .compress),
        (CompressionPolicy.leastLength - 1, .leave), (931, .compress), (300, .leave),
        (0, .leave),
    ])
    func `Short content is left as it is`(length: Int?, expected: CompressionPolicy.Verdict) {
        #expect(verdict(length: length) == expected)
    }

    @Test func `Short content is compressed for a client that refuses the plain one`() {
        #expect(verdict(length: 10, asking: [.acceptEncoding: "gzip, identity;q=0"]) == .compress)
    }

    @Test(arguments: [200, 201, 404, 500])
    func `Pages that tell of a failure are compressed too`(code: Int) {
        #expect(verdict(status: .init(code: code)) == .compress)
    }

    @Test(arguments: [204, 206, 304])
    func `Parts, and responses without content, are left as they are`(code: Int) {
        #expect(verdict(status: .init(code: code)) == .leave)
    }

    @Test func `What has a coding, is a part or must not be changed is left as it is`() {
        #expect(verdict([.contentType: "text/html", .contentEncoding: "br"]) == .leave)
        #expect(verdict([.contentType: "text/html", .contentRange: "bytes */5"], status: .rangeNotSatisfiable) == .leave)
        #expect(verdict([.contentType: "text/html", .cacheControl: "max-age=60, No-Transform"]) == .leave)
    }

    @Test func `A client that does not accept it, wants a part or only the head gets the plain content, labelled`() {
        #expect(verdict(asking: [:]) == .vary)
        #expect(verdict(asking: [.acceptEncoding: "gzip;q=0"]) == .vary)
        #expect(verdict(asking: [.acceptEncoding: "gzip", .range: "bytes=0-9"]) == .vary)
        #expect(verdict(method: .head) == .vary)
    }

    @Test(arguments: [
        ("cross-site", "/orders?search=a", false), ("same-site", "/orders?search=a", false), ("nonsense", "/orders?search=a", false),
        ("cross-site", "/orders", true), ("same-origin", "/orders?search=a", true), ("none", "/orders?search=a", true),
        (nil, "/orders?search=a", true),
    ])
    func `A query that another site may have chosen is not reflected in compressed content`(site: String?, path: String, isCompressed: Bool)
    {
        var fields: HTTPFields = [.acceptEncoding: "gzip"]
        fields[secFetchSite] = site

        #expect(verdict(path: path, asking: fields) == (isCompressed ? .compress : .vary))
    }
}
