import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

/// What becomes of replies.
@Suite struct CachePolicyVerdictTests {
    /// A verdict ten seconds after one reply was kept.
    private func verdict(
        _ status: Int, _ reply: String, kept: String? = nil, _ request: String = "", _ audience: CacheAudience = .private,
        _ method: HTTPRequest.Method = .get
    ) -> CacheVerdict {
        let policy = CachePolicy(audience: audience)
        let query = Kept.query(method, request)
        let kept = kept.map { [Kept.reply($0)] } ?? []
        guard case .ask(let question) = policy.plan(for: query, among: kept, at: Kept.at(10), canRefresh: false) else { return .pass }
        let head = ReplyHead(status: .init(code: status), headers: Kept.fields(reply))
        return policy.verdict(on: head, to: query, question, among: kept, asked: Kept.at(10), now: Kept.at(10))
    }

    @Test(arguments: [
        (200, "Cache-Control: max-age=60", "", "keep"), (200, "Cache-Control: max-age=0", "", "keep"), (200, "", "", "pass"),
        (200, "ETag: \"a\"", "", "keep"), (200, "Last-Modified: -50", "", "keep"), (200, "Expires: +50", "", "keep"),
        (200, "Cache-Control: max-age=60, no-store", "", "pass"), (200, "Cache-Control: max-age=60, No-StOrE", "", "pass"),
        (200, "Cache-Control: max-age=60", "Cache-Control: no-store", "pass"),
        (200, "Cache-Control: max-age=60, no-store, must-understand", "", "keep"),
        (599, "Cache-Control: max-age=60, no-store, must-understand", "", "pass"),
        (200, "Cache-Control: max-age=60 | Vary: *", "", "pass"), (200, "Cache-Control: max-age=60, private", "", "keep"),
        (299, "Cache-Control: max-age=60", "", "keep"), (403, "Cache-Control: max-age=60", "", "keep"), (403, "ETag: \"a\"", "", "pass"),
        (301, "ETag: \"a\"", "", "keep"), (304, "Cache-Control: max-age=60", "", "pass"), (416, "Cache-Control: max-age=60", "", "pass"),
        (206, "Cache-Control: max-age=60 | Content-Range: bytes 0-4/10", "Range: bytes=0-4", "keep"),
        (206, "Cache-Control: max-age=60", "Range: bytes=0-4", "pass"),
        (200, "Cache-Control: max-age=60", "Authorization: me", "keep"),
    ])
    func `One user's cache keeps what may be used again`(status: Int, reply: String, request: String, words: String) {
        #expect(verdict(status, reply, request).words == words)
    }

    @Test(arguments: [
        ("Cache-Control: max-age=60", "", "keep"), ("Cache-Control: max-age=60, private", "", "pass"),
        ("Cache-Control: max-age=60, private=\"a\"", "", "keep"), ("Cache-Control: max-age=60", "Authorization: me", "pass"),
        ("Cache-Control: max-age=60, public", "Authorization: me", "keep"), ("Cache-Control: s-maxage=60", "Authorization: me", "keep"),
        ("Cache-Control: max-age=60, must-revalidate", "Authorization: me", "keep"),
        ("Cache-Control: max-age=60 | Set-Cookie: a=b", "", "keep"), ("Last-Modified: -50 | Set-Cookie: a=b", "", "pass"),
    ])
    func `A cache for many keeps nothing that is meant for one`(reply: String, request: String, words: String) {
        #expect(verdict(200, reply, request, .shared).words == words)
    }

    @Test(arguments: [
        ("CDN-Cache-Control: max-age=60 | Cache-Control: no-store", "", "keep"),
        ("CDN-Cache-Control: max-age=60 | Cache-Control: private", "", "keep"),
        ("CDN-Cache-Control: no-store | Cache-Control: max-age=60 | Expires: +60", "", "pass"),
        ("CDN-Cache-Control: private | Cache-Control: max-age=60", "", "pass"),
        ("CDN-Cache-Control: private=\"a\", max-age=60 | Cache-Control: max-age=60", "", "keep"),
        ("CDN-Cache-Control: none | Cache-Control: max-age=60 | Expires: +60", "", "pass"),
        ("CDN-Cache-Control: none | Cache-Control: no-store | ETag: \"a\"", "", "keep"),
        ("CDN-Cache-Control: no-store, must-understand, max-age=60", "", "keep"),
        ("CDN-Cache-Control: max-age=60, & | Cache-Control: no-store", "", "pass"),
        ("CDN-Cache-Control: max-age=\"60\" | Cache-Control: no-store | ETag: \"a\"", "", "pass"),
        ("CDN-Cache-Control:  | Cache-Control: no-store | ETag: \"a\"", "", "pass"),
        ("CDN-Cache-Control: max-age=60 | Cache-Control: public", "Authorization: me", "pass"),
        ("CDN-Cache-Control: max-age=60, public | Cache-Control: private", "Authorization: me", "keep"),
        ("CDN-Cache-Control: s-maxage=60", "Authorization: me", "keep"),
        ("CDN-Cache-Control: max-age=60 | Vary: *", "", "pass"),
    ])
    func `A cache for many keeps what the field for such caches allows`(reply: String, request: String, words: String) {
        #expect(verdict(200, reply, request, .shared).words == words)
    }

    @Test(arguments: [
        ("CDN-Cache-Control: max-age=5", "CDN-Cache-Control: max-age=60", 60),
        ("CDN-Cache-Control: max-age=5", "Cache-Control: max-age=60", 5),
        ("Cache-Control: max-age=5", "CDN-Cache-Control: max-age=60", 60), ("Cache-Control: max-age=5", "CDN-Cache-Control: ?", 5),
        ("CDN-Cache-Control: max-age=5 | Cache-Control: max-age=60", "CDN-Cache-Control: ?", 60),
    ])
    func `A confirmation changes each field for itself, and what counts is chosen anew`(kept: String, reply: String, lifetime: Double) {
        guard case .freshen(_, let reply, _, _) = verdict(304, "\(reply) | ETag: \"a\"", kept: "\(kept) | ETag: \"a\"", "", .shared)
        else { return #expect(Bool(false)) }

        #expect(Freshness(of: reply, in: .shared, at: Kept.at(10)).lifetime == lifetime)
    }

    @Test func `A confirmation that is meant for one user is the last that others see of a reply`() {
        guard
            case .freshen(_, let reply, .whole, .remove) = verdict(
                304, "CDN-Cache-Control: private, max-age=60", kept: "Cache-Control: max-age=5 | ETag: \"a\"", "", .shared)
        else { return #expect(Bool(false)) }

        let plan = CachePolicy(audience: .shared).plan(for: Kept.query(), among: [reply], at: Kept.at(10), canRefresh: false)

        #expect(plan.words == "ask uri-miss")
    }

    @Test(arguments: [
        ("", "", "become"), ("Cache-Control: no-store", "", "remove"), ("Cache-Control: private, max-age=60", "", "remove"),
        ("Vary: *", "", "remove"), ("", "Authorization: me", "become"), ("Cache-Control: max-age=60", "Authorization: me", "none"),
        ("Cache-Control: max-age=60, public", "Authorization: me", "become"), ("", "Cache-Control: no-store", "none"),
    ])
    func `What confirms a reply, or tells of it, is kept as if it had a body`(reply: String, request: String, words: String) throws {
        let policy = CachePolicy(audience: .shared)
        let kept = Kept.reply("Cache-Control: public, max-age=0 | ETag: \"a\"")
        let head = ReplyHead(status: .ok, headers: Kept.fields(reply))

        let effect = policy.effect(of: head, on: kept, Kept.query(.head, request), asked: Kept.at(9), now: Kept.at(9))

        #expect("\(effect)".hasPrefix(words))
        guard case .ask(let question) = policy.plan(for: Kept.query(.get, request), among: [kept], at: Kept.at(9), canRefresh: false),
            !question.validated.isEmpty
        else { return #expect(request == "Cache-Control: no-store") }
        let confirmation = ReplyHead(status: .notModified, headers: Kept.fields(reply))
        let verdict = policy.verdict(
            on: confirmation, to: Kept.query(.get, request), question, among: [kept], asked: Kept.at(9), now: Kept.at(9))
        guard case .freshen(0, _, .whole, let update) = verdict else { return #expect(Bool(false)) }
        #expect("\(update)".hasPrefix(words))
    }

    @Test func `A cookie is for others only when the confirmation says itself that it may be used again`() {
        let kept = "Cache-Control: public, max-age=5 | ETag: \"a\" | Set-Cookie: x=1"
        let cookies = ["Set-Cookie: x=2", "Set-Cookie: x=2 | Cache-Control: max-age=0", "Set-Cookie: x=2 | Cache-Control: max-age=60"].map {
            guard case .freshen(_, let shown, _, .become(let kept)) = verdict(304, $0, kept: kept, "", .shared) else { return "" }
            return "\(shown.headers[.setCookie] ?? "") \(kept.headers[.setCookie] ?? "")"
        }

        #expect(cookies == ["x=2 x=1", "x=2 x=1", "x=2 x=2"])
    }

    @Test func `What a kept reply says of its fields holds for those of a confirmation`() {
        for line in ["Cache-Control: no-cache=\"A\", max-age=5", "CDN-Cache-Control: no-cache=\"A\", max-age=5"] {
            guard case .freshen(_, let reply, _, _) = verdict(304, "A: 1 | B: 1", kept: "\(line) | ETag: \"a\"", "", .shared)
            else { return #expect(Bool(false)) }

            #expect(reply.headers.map(\.name.canonicalName).filter { $0.count == 1 } == ["b"])
        }
    }

    @Test(arguments: [("CDN-Cache-Control: max-age=5, stale-if-error=60", "stale 0: whole"), ("CDN-Cache-Control: max-age=5", "pass")])
    func `A failure is bridged as the field for such caches says`(kept: String, words: String) {
        #expect(verdict(500, "", kept: "\(kept) | Cache-Control: must-revalidate", "", .shared).words == words)
        #expect(verdict(500, "", kept: "\(kept), must-revalidate | Cache-Control: stale-if-error=60", "", .shared).words == "pass")
    }

    @Test func `Some fields are not kept`() {
        let line =
            "Cache-Control: max-age=60, no-cache=\"a\", private=\"b\" | A: 1 | B: 1 | C: 1 | D: 1 | Connection: c | Keep-Alive: 5 | Set-Cookie: x=y"
        func names(_ audience: CacheAudience) -> [String] {
            guard case .keep(let reply) = verdict(200, line, "", audience) else { return [] }
            return reply.headers.map(\.name.canonicalName).filter { $0.count == 1 || $0.hasPrefix("k") || $0.hasPrefix("set") }.sorted()
        }

        #expect(names(.private) == ["b", "d", "set-cookie"])
        #expect(names(.shared) == ["d", "set-cookie"])
    }

    @Test func `A reply to POST is kept that is what GET would bring`() {
        #expect(verdict(200, "Cache-Control: max-age=60 | Content-Location: /a", "", .private, .post).words == "keep")
        #expect(verdict(200, "Cache-Control: max-age=60 | Content-Location: /b", "", .private, .post).words == "pass")
        #expect(verdict(200, "ETag: \"a\" | Content-Location: /a", "", .private, .post).words == "pass")
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
        // It may be about what the cache has, and says nothing of what the client has.
        ("Cache-Control: max-age=5 | ETag: \"a\"", "", "If-None-Match: \"b\"", "again"),
        // Bytes that are only much the same.
        ("Cache-Control: max-age=5 | ETag: W/\"a\"", "ETag: \"a\"", "", "again"),
        ("Cache-Control: max-age=5 | ETag: W/\"a\"", "ETag: W/\"a\"", "", "freshen 0: whole"),
    ])
    func `A reply that was asked about is good again`(kept: String, reply: String, request: String, words: String) {
        #expect(verdict(304, reply, kept: kept, request).words == words)
    }

    @Test func `A confirmation changes fields, but not what tells of the body`() throws {
        let kept = "Cache-Control: max-age=5 | ETag: \"a\" | A: 1 | B: 1 | Content-Length: 10 | Content-Encoding: x | Age: 99"
        guard
            case .freshen(_, let reply, _, _) = verdict(
                304, "Cache-Control: max-age=60 | A: 2 | Content-Length: 7 | Content-Encoding: y", kept: kept)
        else { return #expect(Bool(false)) }

        #expect(reply.headers[.cacheControl] == "max-age=60")
        #expect(reply.headers[HTTPField.Name("A")!] == "2" && reply.headers[HTTPField.Name("B")!] == "1")
        #expect(reply.headers[.contentLength] == "10" && reply.headers[.contentEncoding] == "x")
        #expect(Freshness(of: reply, in: .private, at: Kept.at(20)).age == 10)
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
    func `A failure of the origin is no reason to show nothing`(status: Int, kept: String, request: String, words: String) {
        #expect(verdict(status, "", kept: kept, request).words == words)
    }

    @Test func `How long a failure may be bridged holds for an origin out of reach, too`() {
        let replies = ["stale-if-error=4", "stale-if-error=60", "must-revalidate"].map { Kept.reply("Cache-Control: max-age=5, \($0)") }
        let plans = replies.map { reply in
            let policy = CachePolicy(audience: .private)
            guard case .ask(let question) = policy.plan(for: Kept.query(), among: [reply], at: Kept.at(10), canRefresh: false) else {
                return ""
            }
            return policy.fallback(for: Kept.query(), question, among: [reply], status: nil, at: Kept.at(10))?.words ?? "none"
        }

        #expect(plans == ["none", "0: whole", "none"])
    }

    @Test func `For many some replies are never stale`() {
        for control in ["proxy-revalidate", "s-maxage=5"] {
            #expect(verdict(503, "", kept: "Cache-Control: max-age=5, \(control)", "", .shared).words == "pass")
            #expect(verdict(503, "", kept: "Cache-Control: max-age=5, \(control)", "", .private).words == "stale 0: whole")
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
        (200, "ETag: \"b\"", "keep"),
    ])
    func `A rest completes the beginning that it belongs to`(status: Int, reply: String, words: String) {
        let policy = CachePolicy(audience: .private)
        let kept = [Kept.reply("ETag: \"a\"", status: 206, body: 6, part: .init(first: 0, total: 10))]
        guard case .ask(let question) = policy.plan(for: Kept.query(), among: kept, at: Kept.at(1), canRefresh: false) else { return }
        let head = ReplyHead(status: .init(code: status), headers: Kept.fields(reply))

        let verdict = policy.verdict(on: head, to: Kept.query(), question, among: kept, asked: Kept.at(1), now: Kept.at(1))

        #expect(verdict.words == words)
    }

    @Test(arguments: [
        (HTTPRequest.Method.put, 200, "", ["/a"]), (.delete, 204, "", ["/a"]), (.post, 303, "Location: /b", ["/a", "/b"]),
        (.post, 201, "Location: http://example.org/b | Content-Location: c", ["/a", "/b", "/c"]),
        (.post, 201, "Location: http://example.com/b", ["/a"]), (.post, 201, "Location: https://example.org/b", ["/a"]),
        (.put, 500, "Location: /b", []), (.put, 404, "", []), (.get, 200, "Location: /b", []), (.options, 200, "", []),
        (.head, 200, "", []),
    ])
    func `A change makes void what was kept of what it names`(method: HTTPRequest.Method, status: Int, reply: String, paths: [String]) {
        let head = ReplyHead(status: .init(code: status), headers: Kept.fields(reply))

        #expect(CachePolicy(audience: .private).voided(by: head, to: Kept.query(method)).map(\.path) == paths)
    }

    @Test(arguments: [
        (200, "ETag: \"a\"", "become"), (200, "", "become"), (200, "Content-Length: 10", "become"), (200, "ETag: \"b\"", "remove"),
        (200, "Content-Length: 11", "remove"), (200, "Last-Modified: -1", "remove"), (404, "", "remove"), (410, "", "remove"),
        (500, "", "none"),
    ])
    func `A reply to HEAD tells of what is kept`(status: Int, reply: String, words: String) {
        let head = ReplyHead(status: .init(code: status), headers: Kept.fields(reply))
        let kept = Kept.reply("Cache-Control: max-age=5 | ETag: \"a\" | Last-Modified: -50")

        let effect = CachePolicy(audience: .private).effect(of: head, on: kept, Kept.query(.head), asked: Kept.at(9), now: Kept.at(9))

        #expect("\(effect)".hasPrefix(words))
    }

    @Test func `A body whose coding was undone is asked about, and never taken for a part`() {
        let policy = CachePolicy(audience: .private, isDecoded: true)
        let head = ReplyHead(status: .ok, headers: Kept.fields("Content-Encoding: gzip | ETag: \"a\" | Content-Length: 5"))

        let reply = policy.stored(head, Kept.query(), Kept.at(0), Kept.at(0))

        #expect(reply?.headers[.contentEncoding] == nil && reply?.headers[.contentLength] == nil)
        #expect(reply?.entityTag == EntityTag("W/\"a\"") && reply?.isStrong == false)
    }
}
