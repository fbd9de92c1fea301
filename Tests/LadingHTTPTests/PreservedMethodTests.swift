import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

/// Redirects of messages to which no other request may respond.
@Suite struct PreservedMethodTests {
    private static let url = "http://example.org/orders/list?page=1"
    private static let encryptedURL = "https://example.org/orders/list?page=1"
    private static let writes: [HTTPRequest.Method] = [.post, .put, .patch, .delete]

    private let executor = ScriptedExecutor()

    /// Returns the response to a message whose URL redirects to the target, which responds with 200.
    private func response(
        to method: HTTPRequest.Method, at url: String = Self.url, status: Int, target: String
    ) async throws -> BackendResponse {
        executor.script(url, .response(status: .init(code: status), headers: [.location: target]))
        executor.script(target, .response(text: "page"))
        var message = RequestMessage(method: method, url: try #require(URL(string: url)), headers: [.contentType: "a/b"], body: [1, 2])
        message.preservesMethod = true
        return try await BackendClient(executor: executor).response(to: message)
    }

    @Test(arguments: [301, 302], [encryptedURL, "http://www.example.org/orders/list?page=1", url + "#top"])
    func `A write is repeated at the same path and query`(status: Int, target: String) async throws {
        for method in Self.writes {
            let response = try await response(to: method, status: status, target: target)

            #expect(response.status == .ok && response.url.absoluteString == target)
            #expect(executor.requests.suffix(2).map(\.method) == [method, method])
            #expect(executor.requests.suffix(2).map(\.body.bytes) == [[1, 2], [1, 2]] as [[UInt8]?])
            #expect(executor.requests.suffix(2).map { $0.headers[.contentType] } == ["a/b", "a/b"])
        }
    }

    @Test(arguments: [
        "http://example.org/login?next=/orders/list", "http://example.org/orders/list", "http://example.org/orders/list/?page=1",
        "http://example.org/orders/list?page=2", "https://www.example.org/",
    ])
    func `A 302, or a 301 of a POST, to another path or query is the response`(target: String) async throws {
        for (status, method) in [(301, HTTPRequest.Method.post), (302, .post), (302, .put), (302, .delete)] {
            let response = try await response(to: method, status: status, target: target)

            #expect(response.status.code == status && response.url.absoluteString == Self.url)
        }
        #expect(Set(executor.requestedURLs) == [Self.url])
    }

    @Test func `A redirect of a write from https to http is the response`() async throws {
        let response = try await response(to: .post, at: Self.encryptedURL, status: 301, target: Self.url)

        #expect(response.status == .movedPermanently)
        #expect(executor.requestedURLs == [Self.encryptedURL])
    }

    @Test func `An empty path is that of the root`() async throws {
        let response = try await response(to: .post, at: "http://example.org", status: 301, target: "https://example.org/")

        #expect(response.status == .ok)
        #expect(executor.requests.map(\.method) == [.post, .post])
    }

    @Test(
        arguments: [
            (301, HTTPRequest.Method.get), (302, .get), (301, .head), (302, .head), (301, .put), (301, .patch), (301, .delete),
        ])
    func `A read, and a 301 of a write other than a POST, is redirected to any path`(status: Int, method: HTTPRequest.Method) async throws {
        let response = try await response(to: method, status: status, target: "http://example.org/other")

        #expect(response.status == .ok && executor.requests.map(\.method) == [method, method])
    }

    @Test(arguments: [(303, HTTPRequest.Method.get), (307, .post), (308, .post)])
    func `A redirect that states the next method is followed to any path`(status: Int, next: HTTPRequest.Method) async throws {
        let response = try await response(to: .post, status: status, target: "http://example.org/other")

        #expect(response.status == .ok && executor.requests.map(\.method) == [.post, next])
    }
}
