import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Window

@Suite("The cookie with the token") struct TokenCookieTests {
    private static let site = HTTPField.Name("Sec-Fetch-Site")!
    private static let client = HTTPField.Name("X-Forwarded-For")!

    /// Returns the cookie that a page sets again; nil for none.
    private func renewed(
        _ method: HTTPRequest.Method = .get, _ path: String = "/dispatch", at authority: String = "localhost:8080",
        _ fields: HTTPFields = [:], isSecure: Bool = false, status: HTTPResponse.Status = .ok, type: String = "text/html; charset=utf-8"
    ) -> String? {
        var fields = fields
        fields[.cookie] = "language=de; token=secret"
        let head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path, headerFields: fields)
        let response = TokenCookie(isSecure: isSecure).renewed(
            in: Response(status: status, headers: [.contentType: type]), to: Request(head: head, body: .init(buffer: ByteBuffer())))
        return response.headers[.setCookie]
    }

    @Test func `A page sets the cookie for 90 days again`() throws {
        let cookie = try #require(renewed())

        #expect(cookie.hasPrefix("token=secret; ") && cookie.contains("Max-Age=7776000"))
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && !cookie.contains("Secure"))
    }

    @Test func `No other response sets the cookie`() {
        #expect(renewed(.post) == nil && renewed(.head) == nil)
        #expect(renewed(status: .seeOther) == nil && renewed(status: .badGateway) == nil)
        #expect(renewed(type: "text/csv") == nil)
        #expect(renewed(.get, "/orders/3?plain=1&offline=1") == nil)
    }

    @Test func `Behind a proxy, a browser that does not show whether it uses https keeps its cookie`() {
        let fields: HTTPFields = [Self.client: "192.0.2.7"]

        #expect(renewed(at: "orders.example.org", fields) == nil)
        #expect(renewed(at: "orders.example.org", [Self.client: "192.0.2.7", Self.site: "none"])?.contains("Secure") == true)
        #expect(renewed(at: "orders.example.org", fields, isSecure: true)?.contains("Secure") == true)
    }

    @Test(
        arguments: [
            ("orders.example.org", [site: "none"], true), ("orders.example.org", [:], false), ("192.0.2.1:8080", [:], false),
            ("localhost:8080", [site: "none"], false), ("127.0.0.1:8080", [site: "same-origin"], false),
            ("localhost", [.origin: "https://orders.example.org"], true),
            ("orders.example.org", [.origin: "http://orders.example.org", site: "same-origin"], false),
        ] as [(String, HTTPFields, Bool)])
    func `A browser that uses https gets a cookie for https only`(authority: String, fields: HTTPFields, isSecure: Bool) {
        #expect(renewed(at: authority, fields)?.contains("Secure") == isSecure)
        #expect(renewed(at: authority, fields, isSecure: true)?.contains("Secure") == true)
    }
}
