import Foundation
import HTTPTypes
import LadingCaching
import LadingTesting
import Testing

@testable import LadingHTTP

// Responses that remove stored ones, and those that do not.
extension HTTPCacheTests {
    @Test func `An error without lifetime does not replace a good response, which is served without the origin`() async throws {
        fixture.script("Cache-Control: max-age=5", "one")
        _ = try await fixture.get()
        fixture.script(status: 403, "Cache-Control: private, max-age=0", "refused")
        fixture.advance(by: 9)

        let refusal = try await fixture.response()
        struct Down: Error {}
        fixture.executor.script(
            CacheSamples.url.absoluteString, .failure(BackendError.unreachable(CacheSamples.url, cause: Down())))
        let offline = try await fixture.response()

        #expect(refusal.status == .forbidden && offline.status == .ok && offline.text == "one")
    }

    @Test(arguments: [301, 302, 303, 307, 308, 404, 410])
    func `A response that replaces the resource and is not stored evicts the stored one`(status: Int) async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        fixture.script(status: status, "")

        _ = try await fixture.get("Cache-Control: no-cache")

        #expect(try await fixture.store.usage().count == 0)
        #expect(try await fixture.response().status.code == status)
        #expect(fixture.executor.requests.count == 3)
    }

    @Test(arguments: [300, 305, 403, 409, 411, 500])
    func `A response with another status that is not stored preserves the stored one`(status: Int) async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        fixture.script(status: status, "")

        _ = try await fixture.get("Cache-Control: no-cache")

        #expect(try await fixture.get() == "one")
    }

    @Test func `An unsafe request invalidates the responses of its partition only, also those of other URLs`() async throws {
        let (other, partitions) = (URL(string: "http://example.org/b")!, ["me", "you", ""])
        fixture.script(at: other.absoluteString, "Cache-Control: max-age=60", "one")
        for partition in partitions { _ = try await fixture.get("", other, partition: partition) }
        fixture.script(status: 201, "Location: /b")

        _ = try await fixture.response("", CacheSamples.url, .post, partition: "me")
        for partition in partitions { _ = try await fixture.get("", other, partition: partition) }

        #expect(fixture.executor.requests.map(\.method) == [.get, .get, .get, .post, .get])
    }

    @Test func `A confidential unsafe request invalidates the stored response, and is not stored`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        var message = RequestMessage(method: .post, url: CacheSamples.url)
        message.containsSecrets = true
        fixture.script("Cache-Control: max-age=60 | Content-Location: /a", "two")

        _ = try await fixture.client.response(to: message)

        #expect(try await fixture.store.usage().count == 0)
        _ = try await fixture.get()
        #expect(fixture.executor.requests.map(\.method) == [.get, .post, .get])
    }

    @Test func `A cookie that a 304 renews is sent to its requester, and not stored if no-cache lists it`() async throws {
        fixture.script("Cache-Control: max-age=5, no-cache=\"Set-Cookie\" | ETag: \"a\"", "one")
        _ = try await fixture.get()
        fixture.script(status: 304, "Cache-Control: max-age=60, no-cache=\"Set-Cookie\" | ETag: \"a\" | Set-Cookie: sid=new")
        fixture.advance(by: 9)

        let validated = try await fixture.response()
        let later = try await fixture.response()

        #expect(validated.headers[.setCookie] == "sid=new" && validated.text == "one")
        #expect(later.headers[.setCookie] == nil && later.text == "one" && fixture.executor.requests.count == 2)
    }

    @Test(arguments: [
        ("Lading", "Lading; hit"), ("*a1/:~", "*a1/:~; hit"), ("My App", "\"My App\"; hit"), ("1st", "\"1st\"; hit"), ("", "\"\"; hit"),
        ("a\"b\\c", "\"a\\\"b\\\\c\"; hit"), ("Café", "\"Caf?\"; hit"),
    ])
    func `The name of a cache in Cache-Status is a token or a string`(name: String, expected: String) {
        var headers = HTTPFields()

        CacheStatus(name: CacheStatus.identifier(of: name), isHit: true).add(to: &headers)

        #expect(headers[.cacheStatus] == expected)
    }
}
