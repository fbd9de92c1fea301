import Foundation
import HTTPTypes
import LadingHTTP
import Testing
@testable import CacheProxy

@Suite struct ProxyOriginTests {
    @Test(arguments: [
        ("http://origin.org:8081", "http://origin.org:8081/a?b#c", "/a?b#c"), ("http://origin.org", "HTTP://Origin.org:80/a", "/a"),
        ("http://origin.org/", "http://origin.org", "/"), ("http://origin.org", "http://origin.org?a", "/?a"),
        ("http://origin.org/base/", "http://origin.org/base/a", "/a"), ("http://origin.org/base", "http://origin.org/base", "/"),
        ("http://origin.org/base", "/base/a", "/a"),
    ])
    func `A reference below the URL of the origin is forwarded as a path of the proxy`(
        base: String, location: String, forwarded: String
    ) throws {
        #expect(try forwardedLocation(location, from: base) == forwarded)
    }

    @Test(arguments: [
        ("http://origin.org", "https://origin.org/a"), ("http://origin.org", "http://origin.org:81/a"),
        ("http://origin.org", "http://other.org/a"), ("http://origin.org/base", "http://origin.org/basement"),
        ("http://origin.org/base", "http://origin.org/other"), ("http://origin.org/base", "/other"), ("http://origin.org/base", "../a"),
        ("http://origin.org", "http://origin.org//other.org/a"), ("http://origin.org", #"http://origin.org/\other.org/a"#),
        ("http://origin.org", "//origin.org/a"), ("http://origin.org", "/a"), ("http://origin.org", ""),
    ])
    func `Any other reference is forwarded unchanged`(base: String, location: String) throws {
        #expect(try forwardedLocation(location, from: base) == location)
    }

    @Test(arguments: [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Client-IP", "True-Client-IP", "CF-Connecting-IP",
        "X_Forwarded_For", "X-Forwarded_Proto", "x_real_ip", "True_Client_IP",
    ])
    func `A claim about the client is not forwarded`(name: String) throws {
        let headers: HTTPFields = [try #require(HTTPField.Name(name)): "127.0.0.1", .accept: "text/plain"]
        let origin = ProxyOrigin(try #require(URL(string: "http://origin.org")))

        let message = origin.message(.get, "/", headers, [])

        #expect(message?.headers.map(\.name.rawName) == ["Accept", "Via"])
    }

    @Test func `Other fields with underscores are forwarded`() throws {
        let name = try #require(HTTPField.Name("X_Real_Estate"))
        let origin = ProxyOrigin(try #require(URL(string: "http://origin.org")))

        let message = origin.message(.get, "/", [name: "1"], [])

        #expect(message?.headers[name] == "1")
    }

    /// Returns `Location` of a forwarded redirect, which `Content-Location` equals.
    private func forwardedLocation(_ location: String, from base: String) throws -> String? {
        let origin = ProxyOrigin(try #require(URL(string: base)))
        let head = ResponseHead(status: .found, headers: [.location: location, .contentLocation: location])

        let fields = origin.head(head, now: Date(timeIntervalSince1970: 0)).headerFields

        #expect(fields[.contentLocation] == fields[.location])
        return fields[.location]
    }
}
