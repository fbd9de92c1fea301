import Foundation
import HTTPTypes
import LadingCaching
import LadingOperations
import LadingTesting
import Testing

@testable import LadingHTTP

@Suite struct HTTPCacheTests {
    let fixture = HTTPCacheFixture()

    @Test func `A fresh response is requested once, and served with its age`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")

        let first = try await fixture.response()
        fixture.advance(by: 7)
        let second = try await fixture.response()

        #expect(first.text == "one" && second.text == "one")
        #expect(first.cacheStatus == "Lading; fwd=uri-miss; fwd-status=200; stored")
        #expect(second.cacheStatus == "Lading; hit; ttl=53" && second.headers[.age] == "7")
        #expect(fixture.executor.requests.count == 1)
    }

    @Test(arguments: [
        ("", 59.0, 1), ("", 61, 2), ("Last-Modified: -100000", 61, 2), ("Cache-Control: max-age=5", 6, 2), ("Expires: +300", 299, 1),
    ])
    func `The default lifetime applies to responses without a lifetime`(line: String, seconds: Double, requests: Int) async throws {
        let stage = HTTPCacheFixture(defaultLifetime: .seconds(60))
        stage.script(line, "one")

        _ = try await stage.get()
        stage.advance(by: seconds)
        #expect(try await stage.get() == "one")

        #expect(stage.executor.requests.count == requests)
    }

    @Test func `The default lifetime applies to status 200 only`() async throws {
        let stage = HTTPCacheFixture(defaultLifetime: .seconds(60))
        stage.script(status: 404, "", "none")

        _ = try await stage.get()
        _ = try await stage.get()

        #expect(stage.executor.requests.count == 2)
    }

    @Test func `A stale response is validated without its body, and fresh again`() async throws {
        fixture.script("Cache-Control: max-age=5 | ETag: \"a\"", "one")
        _ = try await fixture.get()
        fixture.script(status: 304, "Cache-Control: max-age=60 | ETag: \"a\"")
        fixture.advance(by: 9)

        let confirmed = try await fixture.response()
        fixture.advance(by: 50)
        let again = try await fixture.get()

        #expect(confirmed.status == .ok && confirmed.text == "one" && again == "one")
        #expect(fixture.executor.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"a\""])
    }

    @Test func `Stored responses are served after a server was silent for the whole time limit, also after a redirect`() async throws {
        let limits = ResponseLimits(time: .seconds(5))
        let client = BackendClient(executor: SilentExecutor(clock: fixture.clock), clock: fixture.clock, cache: fixture.cache)
        let moved = URL(string: "http://example.org/moved")!
        fixture.script("Cache-Control: max-age=5", "one")
        fixture.script(at: moved.absoluteString, status: 302, "Cache-Control: max-age=5 | Location: /a", "")
        _ = try await fixture.get("", moved)
        fixture.advance(by: 9)

        #expect(try await client.response(to: RequestMessage(url: CacheSamples.url), within: limits).text == "one")
        #expect(try await client.response(to: RequestMessage(url: moved), within: limits).text == "one")
        await #expect {
            try await client.response(to: RequestMessage(url: URL(string: "http://example.org/b")!), within: limits)
        } throws: { error in
            if case BackendError.timedOut(_, after: .seconds(5)) = error { true } else { false }
        }
    }

    @Test func `A changed response replaces the stored one`() async throws {
        fixture.script("Cache-Control: max-age=5 | ETag: \"a\"", "one")
        _ = try await fixture.get()
        fixture.script("Cache-Control: max-age=60 | ETag: \"b\"", "two")
        fixture.advance(by: 9)

        #expect(try await fixture.get() == "two")
        #expect(try await fixture.get() == "two")
        #expect(fixture.executor.requests.count == 2)
        #expect(try await fixture.store.usage().count == 1)
    }

    @Test func `A newer response with no-store evicts the stored one`() async throws {
        fixture.script("Cache-Control: max-age=60 | ETag: \"a\"", "one")
        _ = try await fixture.get()
        fixture.script("Cache-Control: no-store", "two")

        #expect(try await fixture.get("Cache-Control: no-cache") == "two")
        #expect(try await fixture.store.usage().count == 0)
        #expect(try await fixture.get() == "two")
        #expect(fixture.executor.requests.count == 3)
    }

    @Test func `A newer response that is too large for the store evicts the stored one`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        let long = [UInt8](repeating: 7, count: 1 << 20)
        fixture.executor.script(
            CacheSamples.url.absoluteString, .response(headers: CacheSamples.fields("Cache-Control: max-age=60"), body: long))

        #expect(try await fixture.response("Cache-Control: no-cache").body == long)
        #expect(try await fixture.store.usage().count == 0)
        #expect(try await fixture.response().body == long)
    }

    @Test func `An interrupted or partial newer response preserves the stored one`() async throws {
        struct Cut: Error {}
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()

        fixture.executor.script(
            CacheSamples.url.absoluteString, .truncated(after: [[1, 2]], BackendError.interrupted(CacheSamples.url, cause: Cut())))
        await #expect(throws: BackendError.self) { try await fixture.get("Cache-Control: no-cache") }
        #expect(try await fixture.get() == "one")
        fixture.script(status: 206, "Cache-Control: no-store | Content-Range: bytes 0-0/3", "n")
        #expect(try await fixture.get("Cache-Control: no-cache | Range: bytes=0-0") == "n")
        #expect(try await fixture.get() == "one")
    }

    @Test func `A shared cache uses the targeted field, also in a 304, and forwards it unchanged`() async throws {
        let stage = HTTPCacheFixture(.shared)
        let line = "Cache-Control: max-age=1, no-store | ETag: \"a\" | CDN-Cache-Control: max-age=60;x, foo=(1 2)"
        stage.script(line, "one")

        let first = try await stage.response()
        stage.advance(by: 59)
        let hit = try await stage.response()
        stage.script(status: 304, "ETag: \"a\" | Cache-Control: max-age=5")
        stage.advance(by: 2)
        let confirmed = try await stage.response()
        stage.advance(by: 59)
        let again = try await stage.response()

        #expect([first, hit, confirmed, again].allSatisfy { $0.text == "one" })
        #expect([first, hit, confirmed, again].allSatisfy { $0.headers[.cdnCacheControl] == "max-age=60;x, foo=(1 2)" })
        #expect(again.headers[.cacheControl] == "max-age=5" && again.cacheStatus == "Lading; hit; ttl=1")
        #expect(stage.executor.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"a\""])
    }

    @Test func `The cookie of a 304 is sent only to its requester`() async throws {
        let stage = HTTPCacheFixture(.shared)
        stage.script("Last-Modified: -50 | ETag: \"a\"", "one")
        _ = try await stage.get()
        stage.script(status: 304, "Last-Modified: -50 | ETag: \"a\" | Set-Cookie: sid=mine")
        stage.advance(by: 9)

        let conditions = try await stage.response()
        let other = try await stage.response()

        #expect(conditions.headers[.setCookie] == "sid=mine" && conditions.text == "one")
        #expect(other.headers[.setCookie] == nil && other.text == "one" && stage.executor.requests.count == 2)
    }

    @Test func `A private response stored by a private cache is not served by a shared one`() async throws {
        let shared = HTTPCache(store: fixture.store, audience: .shared, now: { CacheSamples.start })
        fixture.script("Cache-Control: max-age=60, private | ETag: \"a\"", "one")
        _ = try await fixture.get()
        fixture.script("Cache-Control: max-age=60", "two")

        let response = try await BackendClient(executor: fixture.executor, cache: shared).response(
            to: RequestMessage(url: CacheSamples.url))

        #expect(response.text == "two" && fixture.executor.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil])
    }

    @Test func `A response of one partition is not served to another`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get(partition: "me")

        _ = try await fixture.get(partition: "you")
        _ = try await fixture.get(partition: "me")

        #expect(fixture.executor.requests.count == 2)
    }

    @Test func `A streamed response of one partition is not served to another`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")

        for partition in ["me", "you", "me"] {
            try await fixture.client.exchange(RequestMessage(url: CacheSamples.url), partition: partition) { _, body, _ in
                for try await _ in body {}
            }
        }

        #expect(fixture.executor.requests.count == 2)
    }

    @Test func `A removed response is requested again, and other partitions retain theirs`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        for partition in ["me", "you"] { _ = try await fixture.get(partition: partition) }

        await fixture.cache.removeCachedResponses(for: CacheSamples.url, partition: "me")
        for partition in ["me", "you"] { _ = try await fixture.get(partition: partition) }

        #expect(fixture.executor.requests.count == 3)
    }

    @Test func `A stored response is served without the origin, unless forbidden`() async throws {
        let mustRevalidateURL = URL(string: "http://example.org/strict")!
        fixture.script("Cache-Control: max-age=5", "one")
        fixture.script(at: mustRevalidateURL.absoluteString, "Cache-Control: max-age=5, must-revalidate", "two")
        _ = try await (fixture.get(), fixture.get("", mustRevalidateURL))
        struct Down: Error {}
        for url in [CacheSamples.url, mustRevalidateURL] {
            fixture.executor.script(url.absoluteString, .failure(BackendError.unreachable(url, cause: Down())))
        }
        fixture.advance(by: 3600)

        let response = try await fixture.response()

        #expect(response.text == "one" && response.cacheStatus == "Lading; fwd=stale; ttl=-3595; detail=unreachable")
        await #expect(throws: BackendError.self) { try await fixture.get("", mustRevalidateURL) }
    }

    @Test func `A stale response is served at once, and refreshed in the background`() async throws {
        fixture.script("Cache-Control: max-age=5, stale-while-revalidate=60", "one")
        _ = try await fixture.get()
        fixture.script("Cache-Control: max-age=5, stale-while-revalidate=60", "two")
        fixture.advance(by: 9)

        let shown = try await fixture.get()
        await fixture.queue.waitUntilIdle()

        #expect(shown == "one")
        #expect(try await fixture.get() == "two")
        #expect(fixture.executor.requests.count == 2)
        #expect(fixture.queue.trace().contains { $0.operation == "refresh http://example.org/a" && $0.priority == .background })
    }

    @Test func `An interrupted or unread body is not stored`() async throws {
        struct Cut: Error {}
        fixture.executor.script(
            CacheSamples.url.absoluteString, .truncated(after: [[1, 2]], BackendError.interrupted(CacheSamples.url, cause: Cut())))
        _ = try? await fixture.get()
        fixture.executor.script(
            CacheSamples.url.absoluteString, .chunks([[1], [2], [3]], headers: CacheSamples.fields("Cache-Control: max-age=60")))
        try await fixture.client.exchange(RequestMessage(url: CacheSamples.url)) { _, body, _ in
            var chunks = body.makeAsyncIterator()
            _ = try await chunks.next()
        }

        #expect(try await fixture.store.usage().count == 0)
        #expect(try await fixture.response().body == [1, 2, 3])
    }

    @Test func `A body that is too large for the store is forwarded and not stored`() async throws {
        let long = [UInt8](repeating: 7, count: 1 << 20)
        fixture.executor.script(
            CacheSamples.url.absoluteString, .response(headers: CacheSamples.fields("Cache-Control: max-age=60"), body: long))

        let bodies = try await [fixture.response().body, fixture.response().body]

        #expect(bodies == [long, long] && fixture.executor.requests.count == 2)
        #expect(try await fixture.store.usage().count == 0)
    }

    @Test func `The stored body is visible before the last byte is forwarded`() async throws {
        fixture.executor.script(
            CacheSamples.url.absoluteString,
            .chunks([[1, 2], [3]], headers: CacheSamples.fields("Cache-Control: max-age=60 | Content-Length: 3")))

        let counts = try await fixture.client.exchange(RequestMessage(url: CacheSamples.url)) { _, body, _ in
            var counts: [Int] = []
            for try await _ in body { counts.append(try await fixture.store.usage().count) }
            return counts
        }

        #expect(counts == [0, 1])
    }

    @Test func `An unsafe request invalidates stored responses and those in flight`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        let gate = Gate()
        let other = URL(string: "http://example.org/b")!
        fixture.script(at: other.absoluteString, "Cache-Control: max-age=60", "old", behind: gate)
        async let late = fixture.get("", other)
        await gate.waitForWaiters(count: 1)
        fixture.script(status: 201, "Location: /b")

        _ = try await fixture.response("", CacheSamples.url, .post)
        gate.open()
        _ = try await late

        #expect(try await fixture.store.usage().count == 0)
    }

    @Test func `A request with a body bypasses the cache`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        fixture.script("Cache-Control: max-age=60", "two")
        let message = RequestMessage(url: CacheSamples.url, body: .bytes(Array("which?".utf8)))

        let response = try await fixture.client.response(to: message)

        #expect(response.text == "two" && response.cacheStatus == "Lading; fwd=bypass; fwd-status=200")
        #expect(try await fixture.get() == "one")
        #expect(fixture.executor.requests.count == 2)
    }

    @Test func `A 304 with no-store evicts the response of a shared cache`() async throws {
        let shared = HTTPCacheFixture(.shared)
        shared.script("Cache-Control: public, max-age=0 | ETag: \"a\"", "one")
        _ = try await shared.get()
        shared.script(status: 304, "Cache-Control: no-store | ETag: \"a\" | Set-Cookie: sid=alice")
        let alice = try await shared.response()
        shared.script("Cache-Control: public, max-age=0 | ETag: \"a\"", "two")
        let bob = try await shared.response()

        #expect(alice.text == "one" && alice.headers[.setCookie] == "sid=alice")
        #expect(bob.text == "two" && bob.headers[.setCookie] == nil)
        #expect(shared.executor.requests.last?.headers[.ifNoneMatch] == nil)
    }

    @Test func `only-if-cached without a stored response returns 504`() async throws {
        let response = try await fixture.response("Cache-Control: only-if-cached")

        #expect(response.status == .gatewayTimeout && fixture.executor.requests.isEmpty)
    }

    @Test func `A failing store does not fail the request`() async throws {
        let executor = ScriptedExecutor()
        executor.script(CacheSamples.url.absoluteString, .response(headers: CacheSamples.fields("Cache-Control: max-age=60"), text: "one"))
        let client = BackendClient(executor: executor, cache: HTTPCache(store: BrokenBlobStore()))

        for _ in 0..<2 { #expect(try await client.response(to: RequestMessage(url: CacheSamples.url)).text == "one") }
    }

    @Test(arguments: TestSeeds.seeds(count: 8)) func `Random requests behave like a simple model`(seed: UInt64) async {
        var fuzzer = CacheFuzzer(seed: seed)

        await fuzzer.run(rounds: 400)

        #expect(fuzzer.violations.isEmpty, "LADING_SEED=\(seed)")
        #expect(fuzzer.hits > 50)
    }

    @Test func `A confidential message is not stored`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        var message = RequestMessage(url: CacheSamples.url)
        message.containsSecrets = true

        for _ in 0..<2 { _ = try await fixture.client.response(to: message) }

        #expect(fixture.executor.requests.count == 2)
    }
}

/// A store of which every operation fails.
private struct BrokenBlobStore: BlobStore {
    struct Gone: Error {}

    func blobs(in group: String) async throws -> [Blob] { throw Gone() }
    func open(_ blob: Blob) async throws -> (any BlobReader)? { throw Gone() }
    func write(_ key: BlobKey, metadata: [UInt8]) async throws -> any BlobWriter { throw Gone() }
    func setMetadata(_ metadata: [UInt8], of blob: Blob) async throws -> Blob? { throw Gone() }
    func remove(_ blob: Blob) async throws { throw Gone() }
    func removeAll(in group: String) async throws { throw Gone() }
    func removeAll() async throws { throw Gone() }
    func usage() async throws -> BlobUsage { throw Gone() }
}

/// An executor whose servers are silent until the time limit has elapsed.
private struct SilentExecutor: BackendExecutor {
    let clock: ManualClock

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        clock.advance(by: timeLimit)
        throw BackendError.timedOut(message.url, after: timeLimit)
    }
}
