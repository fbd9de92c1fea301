import Foundation
import HTTPTypes
import LadingHTTP
import Testing

@Suite struct BackendEnvironmentTests {
    @Test(arguments: [
        ("https://a.org", "https://a.org/orders/7"), ("https://a.org/", "https://a.org/orders/7"),
        ("https://a.org/v2", "https://a.org/v2/orders/7"),
        ("https://a.org:8443/v2//", "https://a.org:8443/v2/orders/7"), ("http://[::1]:80/a%20b", "http://[::1]:80/a%20b/orders/7"),
    ])
    func `A path is appended to the base URL`(base: String, url: String) throws {
        let backend = try BackendEnvironment(baseURL: base)
        let id = 7

        #expect(backend.url("orders/\(id)").absoluteString == url)
        #expect(backend.url("/orders/\(id)").absoluteString == url)
    }

    @Test(arguments: [
        ("a/b", "a%2Fb"), ("..", "%2E%2E"), (".", "%2E"), ("a?b#c", "a%3Fb%23c"), ("ä b", "%C3%A4%20b"), ("%2F", "%252F"), ("a..b", "a..b"),
        ("", ""),
    ])
    func `An interpolated value stays within its path segment`(value: String, segment: String) throws {
        let backend = try BackendEnvironment(baseURL: "http://a.org/v2")

        #expect(backend.url("x/\(value)/y").absoluteString == "http://a.org/v2/x/\(segment)/y")
    }

    @Test func `Literal text in a path is preserved`() throws {
        let backend = try BackendEnvironment(baseURL: "http://a.org")

        #expect(backend.url("a%2Fb/c d;e=f@g", query: ["q": "a b"]).absoluteString == "http://a.org/a%2Fb/c%20d;e=f@g?q=a%20b")
        #expect(backend.url("").absoluteString == "http://a.org")
    }

    @Test(arguments: ["ftp://a.org", "a.org", "", "http://", "/v2", "http://a.org?x=1", "http://a.org/#top"])
    func `An invalid base URL is refused`(text: String) {
        #expect { try BackendEnvironment(baseURL: text) } throws: { error in
            error is BackendEnvironment.Failure && "\(error)".contains("“\(text)”")
        }
    }

    @Test func `A message has the headers of the environment unless it sets its own`() throws {
        let backend = try BackendEnvironment(baseURL: "http://a.org", headers: [.accept: "a/b", .userAgent: "Lading"])

        let message = backend.message(.put, "x", headers: [.accept: "c/d"], content: .text("y"))

        #expect(message.headers == [.accept: "c/d", .userAgent: "Lading", .contentType: "text/plain; charset=utf-8"])
        #expect(message.method == .put)
        #expect(message.body.bytes == Array("y".utf8))
    }

    @Test func `A request has the limits of the environment unless it sets its own`() throws {
        let backend = try BackendEnvironment(baseURL: "http://a.org", limits: ResponseLimits(bodySize: 7))

        #expect(backend.request(.get, "x", decoding: .ignoringBody).limits.bodySize == 7)
        #expect(backend.request(.get, "x", limits: ResponseLimits(bodySize: 8), decoding: .ignoringBody).limits.bodySize == 8)
    }
}
