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
    func `A path is put behind the base URL`(base: String, url: String) throws {
        let backend = try BackendEnvironment(baseURL: base)
        let id = 7

        #expect(backend.url("orders/\(id)").absoluteString == url)
        #expect(backend.url("/orders/\(id)").absoluteString == url)
    }

    @Test(arguments: [
        ("a/b", "a%2Fb"), ("..", "%2E%2E"), (".", "%2E"), ("a?b#c", "a%3Fb%23c"), ("ä b", "%C3%A4%20b"), ("%2F", "%252F"), ("a..b", "a..b"),
        ("", ""),
    ])
    func `What is put into a path stays in its segment`(value: String, segment: String) throws {
        let backend = try BackendEnvironment(baseURL: "http://a.org/v2")

        #expect(backend.url("x/\(value)/y").absoluteString == "http://a.org/v2/x/\(segment)/y")
    }

    @Test func `Text around it is taken as it is written`() throws {
        let backend = try BackendEnvironment(baseURL: "http://a.org")

        #expect(backend.url("a%2Fb/c d;e=f@g", query: ["q": "a b"]).absoluteString == "http://a.org/a%2Fb/c%20d;e=f@g?q=a%20b")
        #expect(backend.url("").absoluteString == "http://a.org")
    }

    @Test(arguments: ["ftp://a.org", "a.org", "", "http://", "/v2", "http://a.org?x=1", "http://a.org/#top"])
    func `What is no base URL is refused`(text: String) {
        #expect { try BackendEnvironment(baseURL: text) } throws: { error in
            error is BackendEnvironment.Failure && "\(error)".contains("“\(text)”")
        }
    }

    @Test func `A message has the fields of the environment, unless it has its own`() throws {
        let backend = try BackendEnvironment(baseURL: "http://a.org", headers: [.accept: "a/b", .userAgent: "Lading"])

        let message = backend.message(.put, "x", headers: [.accept: "c/d"], content: .text("y"))

        #expect(message.headers == [.accept: "c/d", .userAgent: "Lading", .contentType: "text/plain; charset=utf-8"])
        #expect(message.method == .put)
        #expect(message.body.bytes == Array("y".utf8))
    }

    @Test func `A request has the bounds of the environment, unless it has its own`() throws {
        let backend = try BackendEnvironment(baseURL: "http://a.org", bounds: ReplyBounds(bodySize: 7))

        #expect(backend.request(.get, "x", decoding: .nothing).bounds.bodySize == 7)
        #expect(backend.request(.get, "x", bounds: ReplyBounds(bodySize: 8), decoding: .nothing).bounds.bodySize == 8)
    }
}
