import Foundation
import HTTPTypes
import LadingCaching
import LadingOperations
import LadingTesting
import Testing

@testable import LadingHTTP

@Suite struct HTTPCacheTests {
    let stage = HTTPCacheStage()

    @Test func `A fresh reply is asked for once, and tells its age`() async throws {
        stage.script("Cache-Control: max-age=60", "one")

        let first = try await stage.reply()
        stage.wait(7)
        let second = try await stage.reply()

        #expect(first.text == "one" && second.text == "one")
        #expect(first.cacheStatus == "Lading; fwd=uri-miss; fwd-status=200; stored")
        #expect(second.cacheStatus == "Lading; hit; ttl=53" && second.headers[.age] == "7")
        #expect(stage.executor.requests.count == 1)
    }

    @Test(arguments: [
        ("", 59.0, 1), ("", 61, 2), ("Last-Modified: -100000", 61, 2), ("Cache-Control: max-age=5", 6, 2), ("Expires: +300", 299, 1),
    ])
    func `A default lifetime holds for replies that name none`(line: String, seconds: Double, requests: Int) async throws {
        let stage = HTTPCacheStage(defaultLifetime: .seconds(60))
        stage.script(line, "one")

        _ = try await stage.get()
        stage.wait(seconds)
        #expect(try await stage.get() == "one")

        #expect(stage.executor.requests.count == requests)
    }

    @Test func `A default lifetime is for replies with status 200 alone`() async throws {
        let stage = HTTPCacheStage(defaultLifetime: .seconds(60))
        stage.script(status: 404, "", "none")

        _ = try await stage.get()
        _ = try await stage.get()

        #expect(stage.executor.requests.count == 2)
    }

    @Test func `A stale reply is confirmed without its body, and fresh again`() async throws {
        stage.script("Cache-Control: max-age=5 | ETag: \"a\"", "one")
        _ = try await stage.get()
        stage.script(status: 304, "Cache-Control: max-age=60 | ETag: \"a\"")
        stage.wait(9)

        let confirmed = try await stage.reply()
        stage.wait(50)
        let again = try await stage.get()

        #expect(confirmed.status == .ok && confirmed.text == "one" && again == "one")
        #expect(stage.executor.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"a\""])
    }

    @Test func `A reply that has changed takes the place of the one before`() async throws {
        stage.script("Cache-Control: max-age=5 | ETag: \"a\"", "one")
        _ = try await stage.get()
        stage.script("Cache-Control: max-age=60 | ETag: \"b\"", "two")
        stage.wait(9)

        #expect(try await stage.get() == "two")
        #expect(try await stage.get() == "two")
        #expect(stage.executor.requests.count == 2)
        #expect(try await stage.store.usage().count == 1)
    }

    @Test func `A newer reply that is not to be kept is the last of the one before`() async throws {
        stage.script("Cache-Control: max-age=60 | ETag: \"a\"", "one")
        _ = try await stage.get()
        stage.script("Cache-Control: no-store", "two")

        #expect(try await stage.get("Cache-Control: no-cache") == "two")
        #expect(try await stage.store.usage().count == 0)
        #expect(try await stage.get() == "two")
        #expect(stage.executor.requests.count == 3)
    }

    @Test func `A newer reply that is too long for the store is the last of the one before`() async throws {
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()
        let long = [UInt8](repeating: 7, count: 1 << 20)
        stage.executor.script(Kept.url.absoluteString, .reply(headers: Kept.fields("Cache-Control: max-age=60"), body: long))

        #expect(try await stage.reply("Cache-Control: no-cache").body == long)
        #expect(try await stage.store.usage().count == 0)
        #expect(try await stage.reply().body == long)
    }

    @Test func `A newer reply that breaks off, or is a part, leaves the one before`() async throws {
        struct Cut: Error {}
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()

        stage.executor.script(Kept.url.absoluteString, .broken(after: [[1, 2]], BackendError.interrupted(Kept.url, cause: Cut())))
        await #expect(throws: BackendError.self) { try await stage.get("Cache-Control: no-cache") }
        #expect(try await stage.get() == "one")
        stage.script(status: 206, "Cache-Control: no-store | Content-Range: bytes 0-0/3", "n")
        #expect(try await stage.get("Cache-Control: no-cache | Range: bytes=0-0") == "n")
        #expect(try await stage.get() == "one")
    }

    @Test func `A field for such caches counts for many, also in a confirmation, and is handed on as it came`() async throws {
        let stage = HTTPCacheStage(.shared)
        let line = "Cache-Control: max-age=1, no-store | ETag: \"a\" | CDN-Cache-Control: max-age=60;x, foo=(1 2)"
        stage.script(line, "one")

        let first = try await stage.reply()
        stage.wait(59)
        let hit = try await stage.reply()
        stage.script(status: 304, "ETag: \"a\" | Cache-Control: max-age=5")
        stage.wait(2)
        let confirmed = try await stage.reply()
        stage.wait(59)
        let again = try await stage.reply()

        #expect([first, hit, confirmed, again].allSatisfy { $0.text == "one" })
        #expect([first, hit, confirmed, again].allSatisfy { $0.headers[.cdnCacheControl] == "max-age=60;x, foo=(1 2)" })
        #expect(again.headers[.cacheControl] == "max-age=5" && again.cacheStatus == "Lading; hit; ttl=1")
        #expect(stage.executor.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"a\""])
    }

    @Test func `A cookie that comes with a confirmation is for whoever asked, and for nobody else`() async throws {
        let stage = HTTPCacheStage(.shared)
        stage.script("Last-Modified: -50 | ETag: \"a\"", "one")
        _ = try await stage.get()
        stage.script(status: 304, "Last-Modified: -50 | ETag: \"a\" | Set-Cookie: sid=mine")
        stage.wait(9)

        let asked = try await stage.reply()
        let other = try await stage.reply()

        #expect(asked.headers[.setCookie] == "sid=mine" && asked.text == "one")
        #expect(other.headers[.setCookie] == nil && other.text == "one" && stage.executor.requests.count == 2)
    }

    @Test func `What says private, kept for one user, is shown to nobody who shares the cache`() async throws {
        let shared = HTTPCache(store: stage.store, audience: .shared, now: { Kept.start })
        stage.script("Cache-Control: max-age=60, private | ETag: \"a\"", "one")
        _ = try await stage.get()
        stage.script("Cache-Control: max-age=60", "two")

        let reply = try await BackendClient(executor: stage.executor, cache: shared).reply(to: RequestMessage(url: Kept.url))

        #expect(reply.text == "two" && stage.executor.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil])
    }

    @Test func `What one may see is not handed to another`() async throws {
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get(partition: "me")

        _ = try await stage.get(partition: "you")
        _ = try await stage.get(partition: "me")

        #expect(stage.executor.requests.count == 2)
    }

    @Test func `What is forgotten is asked for again, and what is kept for others stays`() async throws {
        stage.script("Cache-Control: max-age=60", "one")
        for partition in ["me", "you"] { _ = try await stage.get(partition: partition) }

        await stage.cache.forget(Kept.url, partition: "me")
        for partition in ["me", "you"] { _ = try await stage.get(partition: partition) }

        #expect(stage.executor.requests.count == 3)
    }

    @Test func `Without the origin what is kept is shown, unless that is forbidden`() async throws {
        let strict = URL(string: "http://example.org/strict")!
        stage.script("Cache-Control: max-age=5", "one")
        stage.script(at: strict.absoluteString, "Cache-Control: max-age=5, must-revalidate", "two")
        _ = try await (stage.get(), stage.get("", strict))
        struct Down: Error {}
        for url in [Kept.url, strict] {
            stage.executor.script(url.absoluteString, .failure(BackendError.unreachable(url, cause: Down())))
        }
        stage.wait(3600)

        let reply = try await stage.reply()

        #expect(reply.text == "one" && reply.cacheStatus == "Lading; fwd=stale; ttl=-3595; detail=unreachable")
        await #expect(throws: BackendError.self) { try await stage.get("", strict) }
    }

    @Test func `A stale reply is shown at once, and asked for behind it`() async throws {
        stage.script("Cache-Control: max-age=5, stale-while-revalidate=60", "one")
        _ = try await stage.get()
        stage.script("Cache-Control: max-age=5, stale-while-revalidate=60", "two")
        stage.wait(9)

        let shown = try await stage.get()
        await stage.queue.idle()

        #expect(shown == "one")
        #expect(try await stage.get() == "two")
        #expect(stage.executor.requests.count == 2)
        #expect(stage.queue.trace().contains { $0.operation == "refresh http://example.org/a" && $0.priority == .background })
    }

    @Test func `A body that breaks off is not kept, neither is one that nobody reads to its end`() async throws {
        struct Cut: Error {}
        stage.executor.script(
            Kept.url.absoluteString, .broken(after: [[1, 2]], BackendError.interrupted(Kept.url, cause: Cut())))
        _ = try? await stage.get()
        stage.executor.script(Kept.url.absoluteString, .chunks([[1], [2], [3]], headers: Kept.fields("Cache-Control: max-age=60")))
        try await stage.client.exchange(RequestMessage(url: Kept.url)) { _, body, _ in
            var chunks = body.makeAsyncIterator()
            _ = try await chunks.next()
        }

        #expect(try await stage.store.usage().count == 0)
        #expect(try await stage.reply().body == [1, 2, 3])
    }

    @Test func `A body that is too long for the store is handed on and not kept`() async throws {
        let long = [UInt8](repeating: 7, count: 1 << 20)
        stage.executor.script(Kept.url.absoluteString, .reply(headers: Kept.fields("Cache-Control: max-age=60"), body: long))

        let bodies = try await [stage.reply().body, stage.reply().body]

        #expect(bodies == [long, long] && stage.executor.requests.count == 2)
        #expect(try await stage.store.usage().count == 0)
    }

    @Test func `The copy is there before the last byte is handed on`() async throws {
        stage.executor.script(
            Kept.url.absoluteString, .chunks([[1, 2], [3]], headers: Kept.fields("Cache-Control: max-age=60 | Content-Length: 3")))

        let counts = try await stage.client.exchange(RequestMessage(url: Kept.url)) { _, body, _ in
            var counts: [Int] = []
            for try await _ in body { counts.append(try await stage.store.usage().count) }
            return counts
        }

        #expect(counts == [0, 1])
    }

    @Test func `A change makes what is kept void, also what is under way`() async throws {
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()
        let gate = Gate()
        let other = URL(string: "http://example.org/b")!
        stage.script(at: other.absoluteString, "Cache-Control: max-age=60", "old", behind: gate)
        async let late = stage.get("", other)
        await gate.waiting(for: 1)
        stage.script(status: 201, "Location: /b")

        _ = try await stage.reply("", Kept.url, .post)
        gate.open()
        _ = try await late

        #expect(try await stage.store.usage().count == 0)
    }

    @Test func `A question with a body goes past what is kept, and its reply is not kept`() async throws {
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()
        stage.script("Cache-Control: max-age=60", "two")
        let question = RequestMessage(url: Kept.url, body: .bytes(Array("which?".utf8)))

        let reply = try await stage.client.reply(to: question)

        #expect(reply.text == "two" && reply.cacheStatus == "Lading; fwd=bypass; fwd-status=200")
        #expect(try await stage.get() == "one")
        #expect(stage.executor.requests.count == 2)
    }

    @Test func `A confirmation for one user is the last of what was kept for many`() async throws {
        let shared = HTTPCacheStage(.shared)
        shared.script("Cache-Control: public, max-age=0 | ETag: \"a\"", "one")
        _ = try await shared.get()
        shared.script(status: 304, "Cache-Control: no-store | ETag: \"a\" | Set-Cookie: sid=alice")
        let alice = try await shared.reply()
        shared.script("Cache-Control: public, max-age=0 | ETag: \"a\"", "two")
        let bob = try await shared.reply()

        #expect(alice.text == "one" && alice.headers[.setCookie] == "sid=alice")
        #expect(bob.text == "two" && bob.headers[.setCookie] == nil)
        #expect(shared.executor.requests.last?.headers[.ifNoneMatch] == nil)
    }

    @Test func `Only what is kept is asked for`() async throws {
        let reply = try await stage.reply("Cache-Control: only-if-cached")

        #expect(reply.status == .gatewayTimeout && stage.executor.requests.isEmpty)
    }

    @Test func `A store that fails costs no reply`() async throws {
        let executor = ScriptedExecutor()
        executor.script(Kept.url.absoluteString, .reply(headers: Kept.fields("Cache-Control: max-age=60"), text: "one"))
        let client = BackendClient(executor: executor, cache: HTTPCache(store: BrokenBlobStore()))

        for _ in 0..<2 { #expect(try await client.reply(to: RequestMessage(url: Kept.url)).text == "one") }
    }

    @Test(arguments: Seeds.several(8)) func `By lot it does what a simple model does`(seed: UInt64) async {
        var monkey = CacheMonkey(seed: seed)

        await monkey.play(rounds: 400)

        #expect(monkey.complaints.isEmpty, "LADING_SEED=\(seed)")
        #expect(monkey.hits > 50)
    }

    @Test func `What is confidential is not written down`() async throws {
        stage.script("Cache-Control: max-age=60", "one")
        var message = RequestMessage(url: Kept.url)
        message.isConfidential = true

        for _ in 0..<2 { _ = try await stage.client.reply(to: message) }

        #expect(stage.executor.requests.count == 2)
    }
}

/// A store whose disk has gone.
private struct BrokenBlobStore: BlobStore {
    struct Gone: Error {}

    func blobs(in group: String) async throws -> [Blob] { throw Gone() }
    func open(_ blob: Blob) async throws -> (any BlobReader)? { throw Gone() }
    func write(_ key: BlobKey, note: [UInt8]) async throws -> any BlobWriter { throw Gone() }
    func setNote(_ note: [UInt8], of blob: Blob) async throws -> Blob? { throw Gone() }
    func remove(_ blob: Blob) async throws { throw Gone() }
    func removeAll(in group: String) async throws { throw Gone() }
    func removeAll() async throws { throw Gone() }
    func usage() async throws -> BlobUsage { throw Gone() }
}
