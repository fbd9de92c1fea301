import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

/// Each comparison of the policy, from both sides.
@Suite struct CachePolicyBoundaryTests {
    private func plan(_ kept: [StoredReply], _ request: String = "", _ audience: CacheAudience = .private) -> String {
        CachePolicy(audience: audience).plan(for: Kept.query(.get, request), among: kept, at: Kept.at(10), canRefresh: true).words
    }

    private func plan(_ reply: String, _ request: String) -> String { plan([Kept.reply(reply)], request) }

    // MARK: Ranges

    @Test(arguments: [
        ("0-0", "0: 0..<1"), ("0-8", "0: 0..<9"), ("0-9", "0: 0..<10"), ("0-10", "0: 0..<10"), ("9-9", "0: 9..<10"), ("9-10", "0: 9..<10"),
        ("10-10", "0: 416"), ("9-", "0: 9..<10"), ("10-", "0: 416"), ("-0", "0: 416"), ("-1", "0: 9..<10"), ("-9", "0: 1..<10"),
        ("-10", "0: 0..<10"), ("-11", "0: 0..<10"), ("5-5", "0: 5..<6"), ("5-4", "0: whole"),
    ])
    func `A whole reply of ten bytes answers ranges up to its last byte`(range: String, words: String) {
        #expect(plan("Cache-Control: max-age=60", "Range: bytes=\(range)") == words)
    }

    @Test(arguments: [
        ("4-9", "0: 4..<10"), ("4-4", "0: 4..<5"), ("9-9", "0: 9..<10"), ("3-9", "ask partial"), ("3-3", "ask partial"),
        ("4-10", "ask partial"), ("10-10", "ask partial"), ("10-", "ask partial"), ("4-", "ask partial"), ("11-11", "ask partial"),
        ("12-", "0: 416"), ("12-12", "0: 416"), ("-1", "ask partial"), ("-8", "ask partial"),
    ])
    func `The bytes 4 to 9 of twelve answer ranges within them`(range: String, words: String) {
        let part = Kept.reply("Cache-Control: max-age=60", status: 206, body: 6, part: .init(first: 4, total: 12))

        #expect(reason(plan([part], "Range: bytes=\(range)")) == words)
    }

    @Test(arguments: [
        ("4-9", "0: 4..<10"), ("4-4", "0: 4..<5"), ("9-9", "0: 9..<10"), ("3-9", "ask partial"), ("4-10", "ask partial"),
        ("10-10", "ask partial"), ("4-", "ask partial"), ("-1", "ask partial"), ("99-", "ask partial"),
    ])
    func `The bytes 4 to 9 of an unknown length answer ranges within them that have an end`(range: String, words: String) {
        let part = Kept.reply("Cache-Control: max-age=60", status: 206, body: 6, part: .init(first: 4, total: nil))

        #expect(reason(plan([part], "Range: bytes=\(range)")) == words)
    }

    /// A plan without the conditions of a question.
    private func reason(_ words: String) -> String { words.split(separator: " ").prefix(2).joined(separator: " ") }

    @Test(arguments: [("bytes 2-4/10", 2, 10, 3), ("bytes 2-2/10", 2, 10, 1), ("bytes 9-9/10", 9, 10, 1), ("bytes 0-9/10", 0, 10, 10)])
    func `A stored part has the bytes that its range names`(range: String, first: Int, total: Int, length: Int) {
        let head = ReplyHead(status: .init(code: 206), headers: Kept.fields("Cache-Control: max-age=60 | Content-Range: \(range)"))

        let reply = CachePolicy(audience: .private).stored(head, Kept.query(), Kept.at(0), Kept.at(0))

        #expect(reply?.part == StoredReply.Part(first: first, total: total))
        #expect(reply?.range == first..<first + length)
    }

    @Test func `A part without a known length is stored, and one without bytes is not`() {
        let replies = ["bytes 2-4/*", "bytes */10", "bytes 2-10/10", "bytes 4-2/10"].map { range in
            let headers = Kept.fields("Cache-Control: max-age=60 | Content-Range: \(range)")
            let head = ReplyHead(status: .init(code: 206), headers: headers)
            return CachePolicy(audience: .private).stored(head, Kept.query(), Kept.at(0), Kept.at(0))
        }

        #expect(replies[0]?.part == StoredReply.Part(first: 2, total: nil))
        #expect(replies[0]?.range == 2..<5)
        #expect(replies.dropFirst().allSatisfy { $0 == nil })
    }

    @Test(arguments: [("bytes 5-9/10", "again"), ("bytes 6-9/10", "complete 0"), ("bytes 7-9/10", "again"), ("bytes 6-9/*", "again")])
    func `The rest of a reply begins where the kept bytes end`(range: String, words: String) {
        let kept = [Kept.reply("ETag: \"a\"", status: 206, body: 6, part: .init(first: 0, total: 10))]
        let policy = CachePolicy(audience: .private)
        guard case .ask(let question) = policy.plan(for: Kept.query(), among: kept, at: Kept.at(1), canRefresh: false) else {
            return #expect(Bool(false))
        }
        let head = ReplyHead(status: .init(code: 206), headers: Kept.fields("ETag: \"a\" | Content-Range: \(range)"))

        let verdict = policy.verdict(on: head, to: Kept.query(), question, among: kept, asked: Kept.at(1), now: Kept.at(1))

        #expect(verdict.words == words)
        guard case .complete(_, let reply) = verdict else { return }
        #expect(reply.range == 0..<10 && reply.part == nil && reply.headers[.contentLength] == "10")
    }

    @Test(arguments: [(0, "ask partial range=bytes=6- if-range=\"a\""), (1, "ask partial")])
    func `Only a part from the first byte on is completed`(first: Int, words: String) {
        #expect(plan([Kept.reply("ETag: \"a\"", status: 206, body: 6, part: .init(first: first, total: 10))]) == words)
    }

    @Test(arguments: [("-2", "0: 2..<5"), ("-1", "0: 2..<5"), ("+0", "0: whole")])
    func `A part is taken for the same by its date when that is a second older than the reply`(changed: String, words: String) {
        let reply = "Cache-Control: max-age=60 | Last-Modified: \(changed)"

        #expect(plan(reply, "Range: bytes=2-4 | If-Range: \(changed)") == words)
    }

    @Test(arguments: [(199, "0: whole"), (200, "0: 2..<5"), (201, "0: whole"), (404, "0: whole")])
    func `Of other replies than those with content no part is made`(status: Int, words: String) {
        #expect(plan([Kept.reply("Cache-Control: max-age=60", status: status)], "Range: bytes=2-4") == words)
    }

    @Test(arguments: [(200, "0: 304"), (206, "0: 304"), (404, "0: whole")])
    func `A client has what it names by its tag when that has content`(status: Int, words: String) {
        #expect(plan([Kept.reply("Cache-Control: max-age=60 | ETag: \"a\"", status: status)], "If-None-Match: \"a\"") == words)
    }

    // MARK: Freshness

    @Test(arguments: [
        ("Cache-Control: max-age=10", "", "ask stale"), ("Cache-Control: max-age=11", "", "0: whole"),
        ("Cache-Control: max-age=60, no-store", "", "ask request"),
        ("Cache-Control: max-age=60, no-store, must-understand", "", "0: whole"),
        ("Cache-Control: max-age=60, must-understand", "", "0: whole"),
        ("Cache-Control: max-age=5, no-store, must-understand", "Cache-Control: max-stale", "0: whole"),
        // Both the staleness and the age count.
        ("Cache-Control: max-age=5", "Cache-Control: max-stale=5, max-age=10", "0: whole"),
        ("Cache-Control: max-age=5", "Cache-Control: max-stale=5, max-age=9", "ask stale"),
        ("Cache-Control: max-age=5", "Cache-Control: max-stale=4, max-age=10", "ask stale"),
        ("Cache-Control: max-age=5, stale-while-revalidate=60", "Cache-Control: min-fresh=0", "ask stale"),
        ("Cache-Control: max-age=5, stale-while-revalidate=60", "Cache-Control: max-age=60", "ask stale"),
        ("Cache-Control: max-age=60, immutable", "Cache-Control: min-fresh=51", "ask request"),
    ])
    func `A reply is used while it is fresh, or as stale as both sides allow`(reply: String, request: String, words: String) {
        #expect(plan(reply, request) == words)
    }

    @Test(arguments: [
        (500, "stale-if-error=5", "", "0: whole"), (500, "stale-if-error=4", "", "none"), (500, "a", "", "none"),
        (502, "stale-if-error=5", "", "0: whole"), (502, "stale-if-error=4", "", "none"), (502, "a", "", "0: whole"),
        (504, "a", "", "0: whole"), (501, "stale-if-error=60", "", "none"), (505, "stale-if-error=60", "", "none"),
        (503, "a", "Cache-Control: max-age=10", "0: whole"), (503, "a", "Cache-Control: max-age=9", "none"),
        (503, "a", "Cache-Control: min-fresh=0", "none"), (503, "a", "Cache-Control: stale-if-error=5", "0: whole"),
        (503, "a", "Cache-Control: stale-if-error=4", "none"), (503, "a, no-cache", "", "none"),
    ])
    func `A failure is bridged for as long as both sides allow`(status: Int, control: String, request: String, words: String) {
        let kept = [Kept.reply("Cache-Control: max-age=5, \(control)")]
        let (policy, query) = (CachePolicy(audience: .private), Kept.query(.get, request))
        let question = policy.question(for: query, among: kept)

        let fallback = policy.fallback(for: query, question, among: kept, status: status, at: Kept.at(10))

        #expect(fallback?.words ?? "none" == words)
    }

    // MARK: Which reply is meant

    @Test(arguments: [("+0", "\"b\"", 0), ("+1", "\"b\"", 1), ("+2", "\"b\"", 1), ("+0", "\"a\"", 1), ("+0", "W/\"a\"", 0)])
    func `A whole reply is preferred to a part unless it is older and another`(date: String, tag: String, selected: Int) {
        let part = Kept.reply("ETag: \"a\" | Date: +1", status: 206, body: 6, part: .init(first: 0, total: 10))
        let whole = Kept.reply("ETag: \(tag) | Date: \(date)")

        let question = CachePolicy(audience: .private).question(for: Kept.query(.get, "Range: bytes=2-4"), among: [part, whole])

        #expect(question.selected == selected)
    }

    @Test(arguments: [(7, 7), (8, 8), (9, 8)])
    func `Eight variants are asked about at once`(count: Int, expected: Int) {
        let kept = (0..<count).map { Kept.reply("Vary: Foo | ETag: \"\($0)\"", for: "Foo: \($0)") }

        let question = CachePolicy(audience: .private).question(for: Kept.query(.get, "Foo: x"), among: kept)

        #expect(question.headers.members(of: .ifNoneMatch).count == expected)
        #expect(question.validated == Array(0..<expected))
    }

    @Test(arguments: [(7, 8), (8, 9), (9, 9)])
    func `Eight tags of the client are asked about beside that of the reply`(count: Int, expected: Int) {
        let tags = (0..<count).map { "\"\($0)\"" }.joined(separator: ", ")
        let kept = [Kept.reply("Cache-Control: max-age=5 | ETag: \"a\"")]

        let question = CachePolicy(audience: .private).question(for: Kept.query(.get, "If-None-Match: \(tags)"), among: kept)

        #expect(question.headers.members(of: .ifNoneMatch).count == expected)
        #expect(question.headers[.ifNoneMatch]?.hasPrefix("\"a\"") == true)
    }

    @Test(arguments: [("de, en;q=0.999", true), ("de", true), ("de, en", false), ("de;q=0.5, en", false), ("de;q=0", false)])
    func `A reply in the language that a client likes best answers it`(languages: String, isAnswered: Bool) {
        let reply = Kept.reply("Vary: Accept-Language | Content-Language: de", for: "Accept-Language: fr")

        #expect(reply.answersVariant(of: Kept.fields("Accept-Language: \(languages)")) == isAnswered)
    }

    // MARK: What is kept and made void

    @Test(arguments: [(199, false), (200, true), (303, true), (304, false), (305, true), (415, true), (416, false), (417, true)])
    func `Replies with some statuses are never kept`(status: Int, isKept: Bool) {
        let head = ReplyHead(status: .init(code: status), headers: Kept.fields("Cache-Control: max-age=60"))

        #expect(CachePolicy(audience: .private).mayKeep(head, Kept.query()) == isKept)
    }

    @Test(arguments: [(199, 0), (200, 1), (399, 1), (400, 0)])
    func `A change that succeeded makes void what was kept`(status: Int, count: Int) {
        let head = ReplyHead(status: .init(code: status))

        #expect(CachePolicy(audience: .private).voided(by: head, to: Kept.query(.put)).count == count)
    }

    @Test(arguments: [
        (HTTPRequest.Method.head, 200, 200, "become"), (.get, 200, 200, "none"), (.head, 206, 200, "none"), (.head, 404, 200, "none"),
        (.head, 200, 201, "none"), (.head, 200, 404, "remove"), (.head, 200, 409, "none"), (.head, 200, 410, "remove"),
        (.head, 200, 411, "none"),
    ])
    func `A reply to HEAD changes a whole reply of the same resource`(method: HTTPRequest.Method, kept: Int, status: Int, words: String) {
        let reply = Kept.reply("Cache-Control: max-age=5", status: kept)

        let effect = CachePolicy(audience: .private).effect(
            of: ReplyHead(status: .init(code: status)), on: reply, Kept.query(method), asked: Kept.at(9), now: Kept.at(9))

        #expect("\(effect)".hasPrefix(words))
    }

    @Test(arguments: [(0, "x=1"), (1, "x=2")])
    func `The cookie of a confirmation is kept for others when it may be used again for a second`(age: Int, cookie: String) {
        let former = Kept.reply("Cache-Control: public, max-age=5 | ETag: \"a\" | Set-Cookie: x=1")
        let head = ReplyHead(status: .notModified, headers: Kept.fields("Cache-Control: max-age=\(age) | Set-Cookie: x=2"))
        let policy = CachePolicy(audience: .shared)
        let fresh = policy.freshened(former, by: head, Kept.query(), Kept.at(9), Kept.at(9))

        guard case .become(let reply) = policy.update(of: former, to: fresh, by: head, Kept.query()) else { return #expect(Bool(false)) }

        #expect(reply.headers[.setCookie] == cookie)
    }
}
