import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

/// Tests of the plan for a request, with one stored response of ten bytes that arrived ten seconds ago.
@Suite struct CachePolicyPlanTests {
    private func plan(_ response: String, _ request: String, _ audience: CacheScope = .private, canRefresh: Bool = true) -> String {
        CachePolicy(audience: audience).plan(
            for: CacheSamples.query(.get, request), among: [CacheSamples.response(response)], at: CacheSamples.at(10),
            canRefresh: canRefresh
        ).summary
    }

    @Test(arguments: [
        ("Cache-Control: max-age=60", "", "0: whole"),
        ("Cache-Control: max-age=10", "", "forward stale"),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "", "forward stale if-none-match=\"a\""),
        ("Cache-Control: max-age=60, no-cache | ETag: \"a\"", "", "forward stale if-none-match=\"a\""),
        ("Cache-Control: max-age=60, no-cache=\"b\"", "", "0: whole"),
        ("Cache-Control: max-age=60, must-revalidate", "", "0: whole"),
        // Directives of the request.
        ("Cache-Control: max-age=60 | ETag: \"a\"", "Cache-Control: no-cache", "forward request if-none-match=\"a\""),
        ("Cache-Control: max-age=60", "Pragma: no-cache", "forward request"),
        ("Cache-Control: max-age=60", "Pragma: no-cache | Cache-Control: foo", "0: whole"),
        ("Cache-Control: max-age=60", "Cache-Control: no-store", "forward bypass"),
        ("Cache-Control: max-age=60", "Cache-Control: max-age=9", "forward request"),
        ("Cache-Control: max-age=60", "Cache-Control: max-age=10", "0: whole"),
        ("Cache-Control: max-age=60, immutable", "Cache-Control: max-age=0", "0: whole"),
        ("Cache-Control: max-age=5, immutable | ETag: \"a\"", "Cache-Control: max-age=0", "forward stale if-none-match=\"a\""),
        ("Cache-Control: max-age=60", "Cache-Control: min-fresh=51", "forward request"),
        ("Cache-Control: max-age=60", "Cache-Control: min-fresh=50", "0: whole"),
        ("Cache-Control: max-age=5", "Cache-Control: max-stale", "0: whole"),
        ("Cache-Control: max-age=5", "Cache-Control: max-stale=5", "0: whole"),
        ("Cache-Control: max-age=5", "Cache-Control: max-stale=4", "forward stale"),
        ("Cache-Control: max-age=5, must-revalidate", "Cache-Control: max-stale", "forward stale"),
        ("Cache-Control: max-age=5", "Cache-Control: only-if-cached", "504"),
        ("Cache-Control: max-age=60", "Cache-Control: only-if-cached", "0: whole"),
        ("Cache-Control: max-age=60", "If-Match: \"a\"", "forward bypass"),
        // Stale, and refreshed in the background.
        ("Cache-Control: max-age=5, stale-while-revalidate=5", "", "0: whole, refresh"),
        ("Cache-Control: max-age=5, stale-while-revalidate=4", "", "forward stale"),
        ("Cache-Control: max-age=5, stale-while-revalidate=60, must-revalidate", "", "forward stale"),
        ("Cache-Control: max-age=5, stale-while-revalidate=60", "Cache-Control: max-age=60", "forward stale"),
        ("Cache-Control: max-age=5, stale-while-revalidate=60", "Cache-Control: max-stale=4", "forward stale"),
        ("Cache-Control: max-age=5, stale-while-revalidate=60", "Cache-Control: max-stale=5", "0: whole"),
        // Conditions of the client.
        ("Cache-Control: max-age=60 | ETag: \"a\"", "If-None-Match: \"a\"", "0: 304"),
        ("Cache-Control: max-age=60 | ETag: W/\"a\"", "If-None-Match: \"x\", \"a\"", "0: 304"),
        ("Cache-Control: max-age=60 | ETag: \"a\"", "If-None-Match: *", "0: 304"),
        ("Cache-Control: max-age=60 | ETag: \"a\"", "If-None-Match: \"b\"", "0: whole"),
        ("Cache-Control: max-age=60 | ETag: \"\u{FFFD}\"", "If-None-Match: \"\u{FFFD}\"", "0: whole"),
        ("Cache-Control: max-age=60 | ETag: \"a\" | Last-Modified: -50", "If-None-Match: \"b\" | If-Modified-Since: -50", "0: whole"),
        ("Cache-Control: max-age=60 | Last-Modified: -50", "If-Modified-Since: -50", "0: 304"),
        ("Cache-Control: max-age=60 | Last-Modified: -50", "If-Modified-Since: -51", "0: whole"),
        ("Cache-Control: max-age=60", "If-Modified-Since: -1", "0: whole"),
        ("Cache-Control: max-age=60", "If-Modified-Since: +1", "0: 304"),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "If-None-Match: \"b\"", "forward stale if-none-match=\"a\", \"b\""),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "If-None-Match: W/\"a\", \"b\"", "forward stale if-none-match=\"a\", \"b\""),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "If-None-Match: *", "forward stale if-none-match=\"a\""),
        ("Cache-Control: max-age=5", "If-None-Match: \"b\"", "forward stale"),
        // Ranges.
        ("Cache-Control: max-age=60", "Range: bytes=2-4", "0: 2..<5"),
        ("Cache-Control: max-age=60", "Range: bytes=-3", "0: 7..<10"),
        ("Cache-Control: max-age=60", "Range: bytes=10-", "0: 416"),
        ("Cache-Control: max-age=60", "Range: bytes=1-2,4-5", "0: whole"),
        ("Cache-Control: max-age=60 | ETag: \"a\"", "Range: bytes=2-4 | If-Range: \"a\"", "0: 2..<5"),
        ("Cache-Control: max-age=60 | ETag: \"a\"", "Range: bytes=2-4 | If-Range: \"b\"", "0: whole"),
        ("Cache-Control: max-age=60 | ETag: W/\"a\"", "Range: bytes=2-4 | If-Range: W/\"a\"", "0: whole"),
        ("Cache-Control: max-age=60 | ETag: \"\u{FFFD}\"", "Range: bytes=2-4 | If-Range: \"\u{FFFD}\"", "0: whole"),
    ])
    func `A stored response is served if allowed, and validated otherwise`(response: String, request: String, words: String) {
        #expect(plan(response, request) == words)
    }

    @Test func `Without background refresh a stale response is validated first`() {
        #expect(plan("Cache-Control: max-age=5, stale-while-revalidate=60", "", canRefresh: false) == "forward stale")
    }

    @Test func `A shared cache uses s-maxage`() {
        #expect(plan("Cache-Control: max-age=60, s-maxage=5", "", .shared) == "forward stale")
        #expect(plan("Cache-Control: max-age=5, s-maxage=60", "", .shared) == "0: whole")
        #expect(plan("Cache-Control: s-maxage=5, stale-while-revalidate=60", "", .shared) == "forward stale")
    }

    @Test(arguments: [
        ("CDN-Cache-Control: max-age=60 | Cache-Control: max-age=5", "", "0: whole"),
        ("CDN-Cache-Control: max-age=5 | Cache-Control: max-age=60 | Expires: +60", "", "forward stale"),
        ("CDN-Cache-Control: max-age=60 | Cache-Control: no-cache", "", "0: whole"),
        ("CDN-Cache-Control: max-age=60 | Cache-Control: no-store", "", "0: whole"),
        ("CDN-Cache-Control: max-age=60 | Cache-Control: private, max-age=60", "", "0: whole"),
        ("CDN-Cache-Control: max-age=60, no-cache | ETag: \"a\" | Cache-Control: max-age=60", "", "forward stale if-none-match=\"a\""),
        ("CDN-Cache-Control: max-age=60, no-cache=\"b\" | Cache-Control: no-cache", "", "0: whole"),
        ("CDN-Cache-Control: max-age=5 | Cache-Control: must-revalidate", "Cache-Control: max-stale", "0: whole"),
        ("CDN-Cache-Control: max-age=5, must-revalidate | Cache-Control: max-age=60", "Cache-Control: max-stale", "forward stale"),
        ("CDN-Cache-Control: s-maxage=5 | Cache-Control: max-age=60", "Cache-Control: max-stale", "forward stale"),
        ("CDN-Cache-Control: max-age=5, stale-while-revalidate=60 | Cache-Control: max-age=5", "", "0: whole, refresh"),
        ("CDN-Cache-Control: max-age=5 | Cache-Control: max-age=5, stale-while-revalidate=60", "", "forward stale"),
        ("CDN-Cache-Control: max-age=60, immutable", "Cache-Control: max-age=0", "0: whole"),
        ("CDN-Cache-Control: max-age=60", "Cache-Control: no-cache", "forward request"),
        ("CDN-Cache-Control: max-age=60, ? | Cache-Control: max-age=5", "", "forward stale"),
        // Stored under other rules: for one user, or when another field counted.
        ("Cache-Control: private, max-age=60 | ETag: \"a\"", "", "forward uri-miss"),
        ("CDN-Cache-Control: private | Cache-Control: max-age=60 | ETag: \"a\"", "", "forward uri-miss"),
        ("CDN-Cache-Control: private | Cache-Control: max-age=60", "Cache-Control: only-if-cached", "504"),
        ("CDN-Cache-Control: private=\"b\", max-age=60", "", "0: whole"),
    ])
    func `A shared cache uses only the targeted field`(response: String, request: String, words: String) {
        #expect(plan(response, request, .shared) == words)
    }

    @Test func `A private cache ignores the targeted field of shared caches`() {
        #expect(plan("CDN-Cache-Control: max-age=60 | Cache-Control: max-age=5", "") == "forward stale")
        #expect(plan("CDN-Cache-Control: no-cache, private | Cache-Control: max-age=60", "") == "0: whole")
    }

    @Test func `Other methods are forwarded`() {
        let policy = CachePolicy(audience: .private)
        let stored = [CacheSamples.response("Cache-Control: max-age=60")]

        for method in [HTTPRequest.Method.post, .put, .delete, .options, .patch] {
            #expect(
                policy.plan(for: CacheSamples.query(method), among: stored, at: CacheSamples.at(1), canRefresh: true).summary
                    == "forward method")
        }
        #expect(policy.plan(for: CacheSamples.query(.head), among: stored, at: CacheSamples.at(1), canRefresh: true).summary == "0: whole")
    }

    @Test func `Without a matching variant the entity tags of all variants are sent`() {
        let stored = [
            CacheSamples.response("Cache-Control: max-age=60 | Vary: Foo | ETag: \"a\"", for: "Foo: 1"),
            CacheSamples.response("Cache-Control: max-age=60 | Vary: Foo | ETag: \"b\"", for: "Foo: 2"),
        ]
        let policy = CachePolicy(audience: .private)
        func plan(_ line: String) -> String {
            policy.plan(for: CacheSamples.query(.get, line), among: stored, at: CacheSamples.at(1), canRefresh: true).summary
        }

        #expect(plan("Foo: 2") == "1: whole")
        #expect(plan("Foo: 3") == "forward vary-miss if-none-match=\"a\", \"b\"")
        #expect(plan("Foo: 3 | If-None-Match: \"c\"") == "forward vary-miss if-none-match=\"c\", \"a\", \"b\"")
    }

    @Test(arguments: [
        ("Range: bytes=6-8", "0: 6..<9"), ("Range: bytes=-5", "0: 5..<10"), ("Range: bytes=6-", "0: 6..<10"),
        ("Range: bytes=3-5", "forward partial range=bytes=3-5"), ("Range: bytes=10-", "0: 416"), ("", "forward partial"),
    ])
    func `A partial response serves ranges within its bytes`(request: String, words: String) {
        let part = CacheSamples.response("Cache-Control: max-age=60 | ETag: \"a\"", status: 206, body: 6, part: .init(first: 4, total: 10))

        let plan = CachePolicy(audience: .private).plan(
            for: CacheSamples.query(.get, request), among: [part], at: CacheSamples.at(1), canRefresh: true)

        #expect(plan.summary == words)
    }

    @Test(arguments: [
        ("ETag: \"a\"", "forward partial range=bytes=6- if-range=\"a\""), ("ETag: W/\"a\"", "forward partial"), ("", "forward partial"),
    ])
    func `The remaining bytes of a partial response are requested if it has a strong entity tag`(response: String, words: String) {
        let part = CacheSamples.response(response, status: 206, body: 6, part: .init(first: 0, total: 10))

        let plan = CachePolicy(audience: .private).plan(for: CacheSamples.query(), among: [part], at: CacheSamples.at(1), canRefresh: true)

        #expect(plan.summary == words)
    }
}
