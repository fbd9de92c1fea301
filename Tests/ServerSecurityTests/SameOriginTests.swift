import HTTPTypes
import Testing

@testable import ServerSecurity

/// Tests of the same-origin check for changing requests.
@Suite struct SameOriginTests {
    private func isAllowed(site: String? = nil, origin: String? = nil, host: String?) -> Bool {
        var headers: HTTPFields = [:]
        headers[HTTPField.Name("Sec-Fetch-Site")!] = site
        headers[.origin] = origin
        let head = HTTPRequest(method: .post, scheme: "http", authority: host, path: "/windows", headerFields: headers)
        return head.isSafeOrSameOrigin
    }

    @Test(arguments: ["cross-site", "same-site", "none", "", "Same-Origin", "same-origin, cross-site"])
    func `A request with another Sec-Fetch-Site than same-origin is refused, whatever its origin`(site: String) {
        #expect(!isAllowed(site: site, host: "localhost:8080"))
        #expect(!isAllowed(site: site, origin: "http://localhost:8080", host: "localhost:8080"))
    }

    @Test func `A request with the Sec-Fetch-Site same-origin is allowed`() {
        #expect(isAllowed(site: "same-origin", host: "localhost:8080"))
    }

    @Test func `A request without Sec-Fetch-Site and Origin is allowed`() {
        #expect(isAllowed(host: "localhost:8080"))
    }

    @Test(arguments: [
        ("http://localhost:8080", "localhost:8080"), ("http://LOCALHOST:8080", "localhost:8080"), ("http://localhost", "localhost"),
        ("https://orders.example.org", "orders.example.org"), ("http://[::1]:8080", "[::1]:8080"), ("http://[::1]", "[::1]"),
    ])
    func `A request with the origin of this server is allowed`(origin: String, host: String) {
        #expect(isAllowed(origin: origin, host: host))
    }

    @Test(arguments: [
        ("http://localhost:8081", "localhost:8080"), ("http://localhost", "localhost:8080"), ("http://localhost:8080", "localhost"),
        ("http://evil.example", "localhost:8080"), ("http://localhost:8080.evil.example", "localhost:8080"),
        ("http://localhost:8080@evil.example", "localhost:8080"), ("http://user@localhost:8080", "localhost:8080"),
        ("http://localhost:8080/", "localhost:8080"), ("http://localhost:8080, http://evil.example", "localhost:8080"),
        ("http://localhost:+8080", "localhost:8080"), ("http://[::1]x:8080", "[::1]:8080"), ("http://[::1", "[::1]"),
        ("null", "localhost:8080"), ("null", "null"), ("", "localhost:8080"), ("localhost:8080", "localhost:8080"),
        ("file://localhost:8080", "localhost:8080"), ("http://", "localhost:8080"), ("http://localhost:8080", nil),
    ])
    func `A request with the origin of another server is refused`(origin: String, host: String?) {
        #expect(!isAllowed(origin: origin, host: host))
    }
}
