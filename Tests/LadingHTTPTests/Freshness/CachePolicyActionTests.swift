import Foundation
import HTTPFieldValues
import HTTPTypes
import Testing
@testable import LadingHTTP

/// Tests of the actions of a cache on responses of the origin.
@Suite struct CachePolicyActionTests {
    /// Returns the action on a response that arrives ten seconds after the stored one.
    func action(
        _ status: Int, _ response: String, stored: String? = nil, _ request: String = "", _ audience: CacheScope = .private,
        _ method: HTTPRequest.Method = .get
    ) -> ResponseAction {
        let policy = CachePolicy(audience: audience)
        let query = CacheSamples.query(method, request)
        let stored = stored.map { [CacheSamples.response($0)] } ?? []
        guard case .forward(let originRequest) = policy.plan(for: query, among: stored, at: CacheSamples.at(10), canRefresh: false) else {
            Issue.record("the request is not forwarded to the origin")
            return .passThrough
        }
        let head = ResponseHead(status: .init(code: status), headers: CacheSamples.fields(response))
        return policy.action(for: head, to: query, originRequest, among: stored, requestTime: CacheSamples.at(10), now: CacheSamples.at(10))
    }

    @Test(arguments: [
        (200, "Cache-Control: max-age=60", "", "store"), (200, "Cache-Control: max-age=0", "", "store"), (200, "", "", "pass"),
        (200, "ETag: \"a\"", "", "store"), (200, "Last-Modified: -50", "", "store"), (200, "Expires: +50", "", "store"),
        (200, "Cache-Control: max-age=60, no-store", "", "pass"), (200, "Cache-Control: max-age=60, No-StOrE", "", "pass"),
        (200, "Cache-Control: max-age=60", "Cache-Control: no-store", "pass"),
        (200, "Cache-Control: max-age=60, no-store, must-understand", "", "store"),
        (599, "Cache-Control: max-age=60, no-store, must-understand", "", "pass"),
        (200, "Cache-Control: max-age=60 | Vary: *", "", "pass"), (200, "Cache-Control: max-age=60, private", "", "store"),
        (299, "Cache-Control: max-age=60", "", "store"), (403, "Cache-Control: max-age=60", "", "store"), (403, "ETag: \"a\"", "", "pass"),
        (301, "ETag: \"a\"", "", "store"), (304, "Cache-Control: max-age=60", "", "pass"), (416, "Cache-Control: max-age=60", "", "pass"),
        (206, "Cache-Control: max-age=60 | Content-Range: bytes 0-4/10", "Range: bytes=0-4", "store"),
        (206, "Cache-Control: max-age=60", "Range: bytes=0-4", "pass"),
        (200, "Cache-Control: max-age=60", "Authorization: me", "store"),
    ])
    func `A private cache stores reusable responses`(status: Int, response: String, request: String, expected: String) {
        #expect(action(status, response, request).summary == expected)
    }

    @Test func `A response whose status is understood is stored although it says no-store`() {
        let response = "Cache-Control: max-age=60, no-store, must-understand | Content-Range: bytes 0-4/10"
        let stored = (200..<600).filter { action($0, response).summary == "store" }

        #expect(
            stored == [
                200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 307, 308, 400, 402, 403, 404, 405, 406, 408, 409, 410, 411, 413, 414,
                415, 421, 422, 429, 500, 501, 502, 503, 504, 505,
            ])
    }

    @Test(arguments: [
        (399, "Cache-Control: max-age=0", "store"), (400, "Cache-Control: max-age=0", "pass"), (403, "Cache-Control: max-age=0", "pass"),
        (403, "Cache-Control: max-age=1", "store"), (403, "Cache-Control: max-age=0, public | ETag: \"a\"", "pass"),
        (404, "Cache-Control: max-age=0", "store"), (500, "Expires: +10", "pass"), (500, "Expires: +11", "store"),
        (401, "Cache-Control: max-age=60", "pass"), (407, "Cache-Control: max-age=60", "pass"), (412, "Cache-Control: max-age=60", "pass"),
    ])
    func `An error is stored only while it is fresh, and never if it concerns credentials or conditions`(
        status: Int, response: String, expected: String
    ) {
        #expect(action(status, response).summary == expected)
    }

    @Test(arguments: [
        ("Cache-Control: max-age=60", "", "store"), ("Cache-Control: max-age=60, private", "", "pass"),
        ("Cache-Control: max-age=60, private=\"a\"", "", "store"), ("Cache-Control: max-age=60", "Authorization: me", "pass"),
        ("Cache-Control: max-age=60, public", "Authorization: me", "store"), ("Cache-Control: s-maxage=60", "Authorization: me", "store"),
        ("Cache-Control: max-age=60, must-revalidate", "Authorization: me", "store"),
        ("Cache-Control: max-age=60 | Set-Cookie: a=b", "", "store"), ("Last-Modified: -50 | Set-Cookie: a=b", "", "pass"),
    ])
    func `A shared cache stores no response for one user`(response: String, request: String, expected: String) {
        #expect(action(200, response, request, .shared).summary == expected)
    }

    @Test(arguments: [
        ("CDN-Cache-Control: max-age=60 | Cache-Control: no-store", "", "store"),
        ("CDN-Cache-Control: max-age=60 | Cache-Control: private", "", "store"),
        ("CDN-Cache-Control: no-store | Cache-Control: max-age=60 | Expires: +60", "", "pass"),
        ("CDN-Cache-Control: private | Cache-Control: max-age=60", "", "pass"),
        ("CDN-Cache-Control: private=\"a\", max-age=60 | Cache-Control: max-age=60", "", "store"),
        ("CDN-Cache-Control: none | Cache-Control: max-age=60 | Expires: +60", "", "pass"),
        ("CDN-Cache-Control: none | Cache-Control: no-store | ETag: \"a\"", "", "store"),
        ("CDN-Cache-Control: no-store, must-understand, max-age=60", "", "store"),
        ("CDN-Cache-Control: max-age=60, & | Cache-Control: no-store", "", "pass"),
        ("CDN-Cache-Control: max-age=\"60\" | Cache-Control: no-store | ETag: \"a\"", "", "pass"),
        ("CDN-Cache-Control:  | Cache-Control: no-store | ETag: \"a\"", "", "pass"),
        ("CDN-Cache-Control: max-age=60 | Cache-Control: public", "Authorization: me", "pass"),
        ("CDN-Cache-Control: max-age=60, public | Cache-Control: private", "Authorization: me", "store"),
        ("CDN-Cache-Control: s-maxage=60", "Authorization: me", "store"),
        ("CDN-Cache-Control: max-age=60 | Vary: *", "", "pass"),
    ])
    func `A shared cache stores what the targeted field allows`(response: String, request: String, expected: String) {
        #expect(action(200, response, request, .shared).summary == expected)
    }

    @Test(arguments: [
        ("CDN-Cache-Control: max-age=5", "CDN-Cache-Control: max-age=60", 60),
        ("CDN-Cache-Control: max-age=5", "Cache-Control: max-age=60", 5),
        ("Cache-Control: max-age=5", "CDN-Cache-Control: max-age=60", 60), ("Cache-Control: max-age=5", "CDN-Cache-Control: ?", 5),
        ("CDN-Cache-Control: max-age=5 | Cache-Control: max-age=60", "CDN-Cache-Control: ?", 60),
    ])
    func `A 304 updates each field separately, and the precedence is evaluated again`(stored: String, response: String, lifetime: Double) {
        guard
            case .freshen(_, let freshened, _, _) = action(
                304, "\(response) | ETag: \"a\"", stored: "\(stored) | ETag: \"a\"", "", .shared)
        else { return #expect(Bool(false)) }

        #expect(Freshness(of: freshened, in: .shared, at: CacheSamples.at(10)).lifetime == lifetime)
    }

    @Test func `A private 304 removes the response from a shared cache`() {
        guard
            case .freshen(_, let response, .full, .remove) = action(
                304, "CDN-Cache-Control: private, max-age=60", stored: "Cache-Control: max-age=5 | ETag: \"a\"", "", .shared)
        else { return #expect(Bool(false)) }

        let plan = CachePolicy(audience: .shared).plan(
            for: CacheSamples.query(), among: [response], at: CacheSamples.at(10), canRefresh: false)

        #expect(plan.summary == "forward uri-miss")
    }

    /// Fields of a response, fields of its request, and the effect on a stored public response.
    static let storageRules = [
        ("", "", "replace"), ("Cache-Control: no-store", "", "remove"), ("Cache-Control: private, max-age=60", "", "remove"),
        ("Vary: *", "", "remove"), ("", "Authorization: me", "replace"), ("Cache-Control: max-age=60", "Authorization: me", "unchanged"),
        ("Cache-Control: max-age=60, public", "Authorization: me", "replace"), ("", "Cache-Control: no-store", "unchanged"),
    ]

    @Test(arguments: storageRules)
    func `A response to HEAD is stored under the rules of a complete response`(response: String, request: String, expected: String) {
        let stored = CacheSamples.response("Cache-Control: public, max-age=0 | ETag: \"a\"")
        let head = ResponseHead(status: .ok, headers: CacheSamples.fields(response))

        let effect = CachePolicy(audience: .shared).effect(
            of: head, on: stored, CacheSamples.query(.head, request), requestTime: CacheSamples.at(9), now: CacheSamples.at(9))

        #expect("\(effect)".hasPrefix(expected))
    }

    @Test(arguments: storageRules)
    func `A 304 is stored under the rules of a complete response`(response: String, request: String, expected: String) {
        let policy = CachePolicy(audience: .shared)
        let stored = CacheSamples.response("Cache-Control: public, max-age=0 | ETag: \"a\"")
        let query = CacheSamples.query(.get, request)
        guard
            case .forward(let originRequest) = policy.plan(for: query, among: [stored], at: CacheSamples.at(9), canRefresh: false),
            !originRequest.validated.isEmpty
        else {
            // Such a request bypasses the cache, without a condition.
            return #expect(request == "Cache-Control: no-store")
        }
        let head = ResponseHead(status: .notModified, headers: CacheSamples.fields(response))

        let outcome = policy.action(
            for: head, to: query, originRequest, among: [stored], requestTime: CacheSamples.at(9), now: CacheSamples.at(9))

        guard case .freshen(0, _, .full, let update) = outcome else { return #expect(Bool(false)) }
        #expect("\(update)".hasPrefix(expected))
    }

    @Test func `Fields of a 304 that the stored response lists are served to the requester and not stored`() {
        for line in ["Cache-Control: no-cache=\"A\", max-age=5", "CDN-Cache-Control: no-cache=\"A\", max-age=5"] {
            guard
                case .freshen(_, let served, _, .replace(let stored)) = action(
                    304, "A: 1 | B: 1", stored: "\(line) | ETag: \"a\"", "", .shared)
            else { return #expect(Bool(false)) }

            let names = [served, stored].map { response in response.headers.map(\.name.canonicalName).filter { $0.count == 1 }.sorted() }
            #expect(names == [["a", "b"], ["b"]])
        }
    }

    @Test(arguments: [("CDN-Cache-Control: max-age=5, stale-if-error=60", "stale 0: whole"), ("CDN-Cache-Control: max-age=5", "pass")])
    func `stale-if-error of the targeted field counts`(stored: String, expected: String) {
        #expect(action(500, "", stored: "\(stored) | Cache-Control: must-revalidate", "", .shared).summary == expected)
        #expect(action(500, "", stored: "\(stored), must-revalidate | Cache-Control: stale-if-error=60", "", .shared).summary == "pass")
    }

    @Test func `Connection fields and fields listed by no-cache or private are not stored`() {
        let line =
            "Cache-Control: max-age=60, no-cache=\"a\", private=\"b\" | A: 1 | B: 1 | C: 1 | D: 1 | Connection: c | Keep-Alive: 5 | Set-Cookie: x=y"
        func names(_ audience: CacheScope) -> [String] {
            guard case .store(let response) = action(200, line, "", audience) else { return [] }
            return response.headers.map(\.name.canonicalName).filter { $0.count == 1 || $0.hasPrefix("k") || $0.hasPrefix("set") }.sorted()
        }

        #expect(names(.private) == ["b", "d", "set-cookie"])
        #expect(names(.shared) == ["d", "set-cookie"])
    }

    @Test func `A response to POST is stored if it is what GET would return`() {
        #expect(action(200, "Cache-Control: max-age=60 | Content-Location: /a", "", .private, .post).summary == "store")
        #expect(action(200, "Cache-Control: max-age=60 | Content-Location: /b", "", .private, .post).summary == "pass")
        #expect(action(200, "ETag: \"a\" | Content-Location: /a", "", .private, .post).summary == "pass")
    }

    @Test(arguments: [
        ("Cache-Control: max-age=5 | ETag: \"a\"", "ETag: \"a\"", "", "freshen 0: whole"),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "ETag: W/\"a\"", "", "freshen 0: whole"),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "", "", "freshen 0: whole"),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "ETag: \"b\"", "", "again"),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "ETag: \"b\"", "If-None-Match: \"b\"", "pass"),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "ETag: \"a\"", "If-None-Match: \"a\"", "freshen 0: 304"),
        ("Cache-Control: max-age=5 | ETag: \"a\"", "ETag: \"a\"", "Range: bytes=1-2", "freshen 0: 1..<3"),
        ("Cache-Control: max-age=5 | Last-Modified: -50", "Last-Modified: -50", "If-Modified-Since: -50", "freshen 0: 304"),
        ("Cache-Control: max-age=5", "", "If-None-Match: \"b\"", "pass"),
        // The 304 may refer to the stored response, and does not match the condition of the client.
        ("Cache-Control: max-age=5 | ETag: \"a\"", "", "If-None-Match: \"b\"", "again"),
        // A weak tag does not imply identical bytes.
        ("Cache-Control: max-age=5 | ETag: W/\"a\"", "ETag: \"a\"", "", "again"),
        ("Cache-Control: max-age=5 | ETag: W/\"a\"", "ETag: W/\"a\"", "", "freshen 0: whole"),
    ])
    func `A 304 freshens the validated response`(stored: String, response: String, request: String, expected: String) {
        #expect(action(304, response, stored: stored, request).summary == expected)
    }

    @Test func `A 304 updates fields, except those that describe the body`() throws {
        let stored = "Cache-Control: max-age=5 | ETag: \"a\" | A: 1 | B: 1 | Content-Length: 10 | Content-Encoding: x | Age: 99"
        guard
            case .freshen(_, let response, _, _) = action(
                304, "Cache-Control: max-age=60 | A: 2 | Content-Length: 7 | Content-Encoding: y", stored: stored)
        else { return #expect(Bool(false)) }

        #expect(response.headers[.cacheControl] == "max-age=60")
        #expect(response.headers[HTTPField.Name("A")!] == "2" && response.headers[HTTPField.Name("B")!] == "1")
        #expect(response.headers[.contentLength] == "10" && response.headers[.contentEncoding] == "x")
        #expect(Freshness(of: response, in: .private, at: CacheSamples.at(20)).age == 10)
    }

    @Test(arguments: [
        (503, "Cache-Control: max-age=5", "", "stale 0: whole"), (502, "Cache-Control: max-age=5", "", "stale 0: whole"),
        (500, "Cache-Control: max-age=5", "", "pass"), (500, "Cache-Control: max-age=5, stale-if-error=60", "", "stale 0: whole"),
        (503, "Cache-Control: max-age=5, stale-if-error=4", "", "pass"), (503, "Cache-Control: max-age=5, must-revalidate", "", "pass"),
        (503, "Cache-Control: max-age=60, no-cache", "", "pass"), (503, "Cache-Control: max-age=60", "Cache-Control: no-cache", "pass"),
        (503, "Cache-Control: max-age=5", "Cache-Control: stale-if-error=1", "pass"),
        (404, "Cache-Control: max-age=5, stale-if-error=60", "", "pass"),
        (503, "Cache-Control: max-age=5", "Range: bytes=1-2", "stale 0: 1..<3"),
    ])
    func `A stale response is served when the origin fails`(status: Int, stored: String, request: String, expected: String) {
        #expect(action(status, "", stored: stored, request).summary == expected)
    }

    @Test func `stale-if-error applies to an unreachable origin, too`() {
        let responses = ["stale-if-error=4", "stale-if-error=60", "must-revalidate"].map {
            CacheSamples.response("Cache-Control: max-age=5, \($0)")
        }
        let plans = responses.map { response in
            let policy = CachePolicy(audience: .private)
            guard
                case .forward(let originRequest) = policy.plan(
                    for: CacheSamples.query(), among: [response], at: CacheSamples.at(10), canRefresh: false)
            else {
                return ""
            }
            return policy.fallback(for: CacheSamples.query(), originRequest, among: [response], status: nil, at: CacheSamples.at(10))?
                .summary
                ?? "none"
        }

        #expect(plans == ["none", "0: whole", "none"])
    }

    @Test func `Some responses are never served stale by a shared cache`() {
        for control in ["proxy-revalidate", "s-maxage=5"] {
            #expect(action(503, "", stored: "Cache-Control: max-age=5, \(control)", "", .shared).summary == "pass")
            #expect(action(503, "", stored: "Cache-Control: max-age=5, \(control)", "", .private).summary == "stale 0: whole")
        }
    }

    @Test(arguments: [
        (206, "ETag: \"a\" | Content-Range: bytes 6-9/10", "complete 0"),
        (206, "ETag: \"a\" | Content-Range: bytes 6-9/10 | Cache-Control: no-store", "again"),
        (206, "ETag: \"a\" | Content-Range: bytes 6-9/10 | Content-Length: 4", "complete 0"),
        (206, "ETag: \"a\" | Content-Range: bytes 6-9/10 | Content-Length: 3", "again"),
        (206, "ETag: \"a\" | Content-Range: bytes 6-9/10 | Vary: *", "again"),
        (206, "ETag: \"b\" | Content-Range: bytes 6-9/10", "again"),
        (206, "ETag: W/\"a\" | Content-Range: bytes 6-9/10", "again"), (206, "Content-Range: bytes 6-9/10", "again"),
        (206, "ETag: \"a\" | Content-Range: bytes 5-9/10", "again"), (206, "ETag: \"a\" | Content-Range: bytes 6-8/10", "again"),
        (206, "ETag: \"a\" | Content-Range: bytes 6-10/11", "again"), (206, "ETag: \"a\"", "again"), (416, "ETag: \"a\"", "again"),
        (200, "ETag: \"b\"", "store"),
    ])
    func `A continuation completes the partial response it belongs to`(status: Int, response: String, expected: String) {
        let policy = CachePolicy(audience: .private)
        let stored = [CacheSamples.response("ETag: \"a\"", status: 206, body: 6, part: .init(first: 0, total: 10))]
        guard
            case .forward(let originRequest) = policy.plan(
                for: CacheSamples.query(), among: stored, at: CacheSamples.at(1), canRefresh: false)
        else { return #expect(Bool(false)) }
        let head = ResponseHead(status: .init(code: status), headers: CacheSamples.fields(response))

        let outcome = policy.action(
            for: head, to: CacheSamples.query(), originRequest, among: stored, requestTime: CacheSamples.at(1), now: CacheSamples.at(1))

        #expect(outcome.summary == expected)
    }

    @Test(arguments: [
        (HTTPRequest.Method.put, 200, "", ["/a"]), (.delete, 204, "", ["/a"]), (.post, 303, "Location: /b", ["/a", "/b"]),
        (.post, 201, "Location: http://example.org/b | Content-Location: c", ["/a", "/b", "/c"]),
        (.post, 201, "Location: http://example.com/b", ["/a"]), (.post, 201, "Location: https://example.org/b", ["/a"]),
        (.put, 500, "Location: /b", []), (.put, 404, "", []), (.get, 200, "Location: /b", []), (.options, 200, "", []),
        (.head, 200, "", []),
    ])
    func `An unsafe request invalidates its URL and those in Location and Content-Location`(
        method: HTTPRequest.Method, status: Int, response: String, paths: [String]
    ) {
        let head = ResponseHead(status: .init(code: status), headers: CacheSamples.fields(response))

        #expect(CachePolicy(audience: .private).invalidatedURLs(by: head, to: CacheSamples.query(method)).map(\.path) == paths)
    }

    @Test(arguments: [
        (200, "ETag: \"a\"", "replace"), (200, "", "replace"), (200, "Content-Length: 10", "replace"), (200, "ETag: \"b\"", "remove"),
        (200, "Content-Length: 11", "remove"), (200, "Last-Modified: -1", "remove"), (404, "", "remove"), (410, "", "remove"),
        (500, "", "unchanged"),
    ])
    func `A response to HEAD updates or removes the stored response`(status: Int, response: String, expected: String) {
        let head = ResponseHead(status: .init(code: status), headers: CacheSamples.fields(response))
        let stored = CacheSamples.response("Cache-Control: max-age=5 | ETag: \"a\" | Last-Modified: -50")

        let effect = CachePolicy(audience: .private).effect(
            of: head, on: stored, CacheSamples.query(.head), requestTime: CacheSamples.at(9), now: CacheSamples.at(9))

        #expect("\(effect)".hasPrefix(expected))
    }

    @Test func `A response to HEAD whose entity tag has replaced bytes removes the stored response`() {
        let head = ResponseHead(status: .ok, headers: CacheSamples.fields("ETag: \"\u{FFFD}\""))
        let stored = CacheSamples.response("Cache-Control: max-age=5 | ETag: \"\u{FFFD}\"")

        let effect = CachePolicy(audience: .private).effect(
            of: head, on: stored, CacheSamples.query(.head), requestTime: CacheSamples.at(9), now: CacheSamples.at(9))

        #expect(effect == .remove)
    }
}
