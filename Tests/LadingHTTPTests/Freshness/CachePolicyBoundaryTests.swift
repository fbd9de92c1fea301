import Foundation
import HTTPFieldValues
import HTTPTypes
import Testing
@testable import LadingHTTP

/// Tests of each comparison in the policy, on both sides of its boundary.
@Suite struct CachePolicyBoundaryTests {
    private func plan(_ stored: [StoredResponse], _ request: String = "", _ audience: CacheScope = .private) -> String {
        CachePolicy(audience: audience).plan(
            for: CacheSamples.query(.get, request), among: stored, at: CacheSamples.at(10), canRefresh: true
        )
        .summary
    }

    private func plan(_ response: String, _ request: String) -> String { plan([CacheSamples.response(response)], request) }

    // MARK: Ranges

    @Test(arguments: [
        ("0-0", "0: 0..<1"), ("0-8", "0: 0..<9"), ("0-9", "0: 0..<10"), ("0-10", "0: 0..<10"), ("9-9", "0: 9..<10"), ("9-10", "0: 9..<10"),
        ("10-10", "0: 416"), ("9-", "0: 9..<10"), ("10-", "0: 416"), ("-0", "0: 416"), ("-1", "0: 9..<10"), ("-9", "0: 1..<10"),
        ("-10", "0: 0..<10"), ("-11", "0: 0..<10"), ("5-5", "0: 5..<6"), ("5-4", "0: whole"),
    ])
    func `A complete response of ten bytes serves ranges up to its last byte`(range: String, words: String) {
        #expect(plan("Cache-Control: max-age=60", "Range: bytes=\(range)") == words)
    }

    @Test(arguments: [
        ("4-9", "0: 4..<10"), ("4-4", "0: 4..<5"), ("9-9", "0: 9..<10"), ("3-9", "forward partial"), ("3-3", "forward partial"),
        ("4-10", "forward partial"), ("10-10", "forward partial"), ("10-", "forward partial"), ("4-", "forward partial"),
        ("11-11", "forward partial"),
        ("12-", "0: 416"), ("12-12", "0: 416"), ("-1", "forward partial"), ("-8", "forward partial"),
    ])
    func `A partial response of the bytes 4 to 9 of twelve serves ranges within them`(range: String, words: String) {
        let part = CacheSamples.response("Cache-Control: max-age=60", status: 206, body: 6, part: .init(first: 4, total: 12))

        #expect(withoutConditions(plan([part], "Range: bytes=\(range)")) == words)
    }

    @Test(arguments: [
        ("4-9", "0: 4..<10"), ("4-4", "0: 4..<5"), ("9-9", "0: 9..<10"), ("3-9", "forward partial"), ("4-10", "forward partial"),
        ("10-10", "forward partial"), ("4-", "forward partial"), ("-1", "forward partial"), ("99-", "forward partial"),
    ])
    func `A partial response of unknown total length serves bounded ranges within it`(range: String, words: String) {
        let part = CacheSamples.response("Cache-Control: max-age=60", status: 206, body: 6, part: .init(first: 4, total: nil))

        #expect(withoutConditions(plan([part], "Range: bytes=\(range)")) == words)
    }

    /// Returns a plan without the conditions of its request.
    private func withoutConditions(_ words: String) -> String { words.split(separator: " ").prefix(2).joined(separator: " ") }

    @Test(arguments: [("bytes 2-4/10", 2, 10, 3), ("bytes 2-2/10", 2, 10, 1), ("bytes 9-9/10", 9, 10, 1), ("bytes 0-9/10", 0, 10, 10)])
    func `A stored partial response has the bytes of its Content-Range`(range: String, first: Int, total: Int, length: Int) {
        let head = ResponseHead(
            status: .init(code: 206), headers: CacheSamples.fields("Cache-Control: max-age=60 | Content-Range: \(range)"))

        let response = CachePolicy(audience: .private).storedResponse(head, CacheSamples.query(), CacheSamples.at(0), CacheSamples.at(0))

        #expect(response?.part == StoredResponse.Part(first: first, total: total))
        #expect(response?.range == first..<first + length)
    }

    @Test func `A partial response without a total length is stored, and one without bytes is not`() {
        let responses = ["bytes 2-4/*", "bytes */10", "bytes 2-10/10", "bytes 4-2/10"].map { range in
            let headers = CacheSamples.fields("Cache-Control: max-age=60 | Content-Range: \(range)")
            let head = ResponseHead(status: .init(code: 206), headers: headers)
            return CachePolicy(audience: .private).storedResponse(head, CacheSamples.query(), CacheSamples.at(0), CacheSamples.at(0))
        }

        #expect(responses[0]?.part == StoredResponse.Part(first: 2, total: nil))
        #expect(responses[0]?.range == 2..<5)
        #expect(responses.dropFirst().allSatisfy { $0 == nil })
    }

    @Test(arguments: [("bytes 5-9/10", "again"), ("bytes 6-9/10", "complete 0"), ("bytes 7-9/10", "again"), ("bytes 6-9/*", "again")])
    func `A continuation starts where the stored bytes end`(range: String, words: String) {
        let stored = [CacheSamples.response("ETag: \"a\"", status: 206, body: 6, part: .init(first: 0, total: 10))]
        let policy = CachePolicy(audience: .private)
        guard
            case .forward(let originRequest) = policy.plan(
                for: CacheSamples.query(), among: stored, at: CacheSamples.at(1), canRefresh: false)
        else {
            return #expect(Bool(false))
        }
        let head = ResponseHead(status: .init(code: 206), headers: CacheSamples.fields("ETag: \"a\" | Content-Range: \(range)"))

        let outcome = policy.action(
            for: head, to: CacheSamples.query(), originRequest, among: stored, requestTime: CacheSamples.at(1), now: CacheSamples.at(1))

        #expect(outcome.summary == words)
        guard case .combine(_, let response) = outcome else { return }
        #expect(response.range == 0..<10 && response.part == nil && response.headers[.contentLength] == "10")
    }

    @Test(arguments: [
        (CacheScope.private, "Set-Cookie: a=b", "complete 0"), (.shared, "Set-Cookie: a=b", "again"), (.shared, "", "complete 0"),
        (.shared, "Set-Cookie: a=b | Cache-Control: max-age=60", "complete 0"),
    ])
    func `A continuation with a cookie is combined only if a complete response with it would be stored`(
        audience: CacheScope, fields: String, words: String
    ) {
        let stored = [CacheSamples.response("ETag: \"a\"", status: 206, body: 6, part: .init(first: 0, total: 10))]
        let policy = CachePolicy(audience: audience)
        let originRequest = policy.originRequest(for: CacheSamples.query(), among: stored)
        let head = ResponseHead(
            status: .partialContent, headers: CacheSamples.fields("ETag: \"a\" | Content-Range: bytes 6-9/10 | \(fields)"))

        let outcome = policy.action(
            for: head, to: CacheSamples.query(), originRequest, among: stored, requestTime: CacheSamples.at(1), now: CacheSamples.at(1))

        #expect(outcome.summary == words)
    }

    @Test(arguments: [(0, "forward partial range=bytes=6- if-range=\"a\""), (1, "forward partial")])
    func `Only a partial response from the first byte is completed`(first: Int, words: String) {
        #expect(plan([CacheSamples.response("ETag: \"a\"", status: 206, body: 6, part: .init(first: first, total: 10))]) == words)
    }

    @Test(arguments: [("-2", "0: 2..<5"), ("-1", "0: 2..<5"), ("+0", "0: whole")])
    func `If-Range matches by date if Last-Modified is a second older than the response`(changed: String, words: String) {
        let response = "Cache-Control: max-age=60 | Last-Modified: \(changed)"

        #expect(plan(response, "Range: bytes=2-4 | If-Range: \(changed)") == words)
    }

    @Test(arguments: [(199, "0: whole"), (200, "0: 2..<5"), (201, "0: whole"), (404, "0: whole")])
    func `Only responses with status 200 serve ranges`(status: Int, words: String) {
        #expect(plan([CacheSamples.response("Cache-Control: max-age=60", status: status)], "Range: bytes=2-4") == words)
    }

    @Test(arguments: [(200, "0: 304"), (206, "0: 304"), (404, "0: whole")])
    func `If-None-Match is evaluated for the statuses 200 and 206`(status: Int, words: String) {
        #expect(plan([CacheSamples.response("Cache-Control: max-age=60 | ETag: \"a\"", status: status)], "If-None-Match: \"a\"") == words)
    }

    // MARK: Freshness

    @Test(arguments: [
        ("Cache-Control: max-age=10", "", "forward stale"), ("Cache-Control: max-age=11", "", "0: whole"),
        ("Cache-Control: max-age=60, no-store", "", "forward request"),
        ("Cache-Control: max-age=60, no-store, must-understand", "", "0: whole"),
        ("Cache-Control: max-age=60, must-understand", "", "0: whole"),
        ("Cache-Control: max-age=5, no-store, must-understand", "Cache-Control: max-stale", "0: whole"),
        // Both the staleness and the age count.
        ("Cache-Control: max-age=5", "Cache-Control: max-stale=5, max-age=10", "0: whole"),
        ("Cache-Control: max-age=5", "Cache-Control: max-stale=5, max-age=9", "forward stale"),
        ("Cache-Control: max-age=5", "Cache-Control: max-stale=4, max-age=10", "forward stale"),
        ("Cache-Control: max-age=5, stale-while-revalidate=60", "Cache-Control: min-fresh=0", "forward stale"),
        ("Cache-Control: max-age=5, stale-while-revalidate=60", "Cache-Control: max-age=60", "forward stale"),
        ("Cache-Control: max-age=60, immutable", "Cache-Control: min-fresh=51", "forward request"),
    ])
    func `A response is served while fresh, or as stale as both sides allow`(response: String, request: String, words: String) {
        #expect(plan(response, request) == words)
    }

    @Test(arguments: [
        (500, "stale-if-error=5", "", "0: whole"), (500, "stale-if-error=4", "", "none"), (500, "a", "", "none"),
        (502, "stale-if-error=5", "", "0: whole"), (502, "stale-if-error=4", "", "none"), (502, "a", "", "0: whole"),
        (504, "a", "", "0: whole"), (501, "stale-if-error=60", "", "none"), (505, "stale-if-error=60", "", "none"),
        (503, "a", "Cache-Control: max-age=10", "0: whole"), (503, "a", "Cache-Control: max-age=9", "none"),
        (503, "a", "Cache-Control: min-fresh=0", "none"), (503, "a", "Cache-Control: stale-if-error=5", "0: whole"),
        (503, "a", "Cache-Control: stale-if-error=4", "none"), (503, "a, no-cache", "", "none"), (503, "a, no-store", "", "none"),
        (503, "a, no-store, must-understand", "", "0: whole"), (503, "a", "Cache-Control: max-stale", "0: whole"),
        (503, "a", "Cache-Control: max-stale=5", "0: whole"), (503, "a", "Cache-Control: max-stale=4", "none"),
        (500, "stale-if-error=5", "Cache-Control: max-stale=4", "none"),
        // The limit of the request for errors is the more specific one.
        (503, "a", "Cache-Control: max-stale=4, stale-if-error=5", "0: whole"),
    ])
    func `A stale response is served on an error for as long as both sides allow`(
        status: Int, control: String, request: String, words: String
    ) {
        let stored = [CacheSamples.response("Cache-Control: max-age=5, \(control)")]
        let (policy, query) = (CachePolicy(audience: .private), CacheSamples.query(.get, request))
        let originRequest = policy.originRequest(for: query, among: stored)

        let fallback = policy.fallback(for: query, originRequest, among: stored, status: status, at: CacheSamples.at(10))

        #expect(fallback?.summary ?? "none" == words)
    }

    // MARK: Selection of responses

    @Test(arguments: [("+0", "\"b\"", 0), ("+1", "\"b\"", 1), ("+2", "\"b\"", 1), ("+0", "\"a\"", 1), ("+0", "W/\"a\"", 0)])
    func `A complete response is preferred to a partial one unless it is older and different`(date: String, tag: String, selected: Int) {
        let part = CacheSamples.response("ETag: \"a\" | Date: +1", status: 206, body: 6, part: .init(first: 0, total: 10))
        let whole = CacheSamples.response("ETag: \(tag) | Date: \(date)")

        let originRequest = CachePolicy(audience: .private).originRequest(
            for: CacheSamples.query(.get, "Range: bytes=2-4"), among: [part, whole])

        #expect(originRequest.selected == selected)
    }

    @Test(arguments: [(7, 7), (8, 8), (9, 8)])
    func `At most eight variants are validated at once`(count: Int, expected: Int) {
        let stored = (0..<count).map { CacheSamples.response("Vary: Foo | ETag: \"\($0)\"", for: "Foo: \($0)") }

        let originRequest = CachePolicy(audience: .private).originRequest(for: CacheSamples.query(.get, "Foo: x"), among: stored)

        #expect(originRequest.headers.members(of: .ifNoneMatch).count == expected)
        #expect(originRequest.validated == Array(0..<expected))
    }

    @Test(arguments: [(7, 8), (8, 9), (9, 9)])
    func `At most eight entity tags of the client are sent beside that of the stored response`(count: Int, expected: Int) {
        let tags = (0..<count).map { "\"\($0)\"" }.joined(separator: ", ")
        let stored = [CacheSamples.response("Cache-Control: max-age=5 | ETag: \"a\"")]

        let question = CachePolicy(audience: .private).originRequest(for: CacheSamples.query(.get, "If-None-Match: \(tags)"), among: stored)

        #expect(question.headers.members(of: .ifNoneMatch).count == expected)
        #expect(question.headers[.ifNoneMatch]?.hasPrefix("\"a\"") == true)
    }

    @Test func `Only complete responses with status 200 that the cache may serve are validated beside the selected one`() {
        let stored = [
            CacheSamples.response("Vary: Foo | ETag: \"a\"", for: "Foo: 1"),
            CacheSamples.response("Vary: Foo | ETag: \"b\"", status: 206, for: "Foo: 2", body: 6, part: .init(first: 0, total: 10)),
            CacheSamples.response("Vary: Foo | ETag: \"c\"", status: 404, for: "Foo: 3"),
            CacheSamples.response("Vary: Foo | ETag: \"d\" | Cache-Control: private", for: "Foo: 4"),
            CacheSamples.response("Vary: Foo | ETag: \"e\"", for: "Foo: 5"),
        ]
        let requests = ["Foo: 9", "Foo: 5 | If-None-Match: \"x\""].map {
            CachePolicy(audience: .shared).originRequest(for: CacheSamples.query(.get, $0), among: stored)
        }

        #expect(requests.map(\.validated) == [[0, 4], [4, 0]])
        #expect(requests.map { $0.headers[.ifNoneMatch] } == ["\"a\", \"e\"", "\"e\", \"x\", \"a\""])
    }

    @Test(arguments: [
        ("Foo: 9", "\"a\", \"b\""), ("Foo: 9 | If-Modified-Since: -50", "none"), ("Foo: 1 | If-Modified-Since: -50", "\"a\", \"b\""),
    ])
    func `Entity tags are not added to If-Modified-Since of a client unless a stored response matches`(request: String, tags: String) {
        let stored = ["a", "b"].enumerated().map { index, tag in
            CacheSamples.response("Vary: Foo | ETag: \"\(tag)\" | Last-Modified: -50", for: "Foo: \(index + 1)")
        }

        let originRequest = CachePolicy(audience: .private).originRequest(for: CacheSamples.query(.get, request), among: stored)

        #expect(originRequest.headers[.ifNoneMatch] ?? "none" == tags)
    }

    @Test(arguments: [
        ("de, en;q=0.999", true), ("de", true), ("de, en", false), ("de;q=0.5, en", false), ("de;q=0", false), ("de;q=0.001", true),
        ("de;q=nan", false),
    ])
    func `A response in the client's preferred language is served`(languages: String, isAnswered: Bool) {
        let response = CacheSamples.response("Vary: Accept-Language | Content-Language: de", for: "Accept-Language: fr")

        #expect(response.matchesVariant(of: CacheSamples.fields("Accept-Language: \(languages)")) == isAnswered)
    }

    // MARK: Storage and invalidation

    @Test(arguments: [
        (199, false), (200, true), (303, true), (304, false), (305, true), (400, true), (401, false), (402, true), (406, true),
        (407, false), (408, true), (411, true), (412, false), (413, true), (415, true), (416, false), (417, true),
    ])
    func `Responses with some statuses are never stored`(status: Int, isKept: Bool) {
        let head = ResponseHead(status: .init(code: status), headers: CacheSamples.fields("Cache-Control: max-age=60"))

        #expect(CachePolicy(audience: .private).mayStore(head, CacheSamples.query()) == isKept)
    }

    @Test(arguments: [("Date: -50", -50.0), ("", 5), ("Date: foo", 5)])
    func `A response without a valid date is stored with the date of its arrival`(field: String, seconds: Double) {
        let head = ResponseHead(status: .ok, headers: CacheSamples.fields("Cache-Control: max-age=60 | \(field)"))

        let stored = CachePolicy(audience: .private).storedResponse(head, CacheSamples.query(), CacheSamples.at(4), CacheSamples.at(5))

        #expect(stored?.headers[.date] == CacheSamples.at(seconds).httpDate)
    }

    @Test(arguments: [("", "1", ["foo"]), ("Vary: Foo, Bar", "1", ["bar", "foo"]), ("Vary: Foo, Bar", "2", ["foo"])])
    func `A 304 changes the variant of a stored response only for a request that the former variant matches`(
        field: String, value: String, names: [String]
    ) {
        let stored = CacheSamples.response("Vary: Foo | ETag: \"a\"", for: "Foo: 1")
        let head = ResponseHead(status: .notModified, headers: CacheSamples.fields(field))
        let query = CacheSamples.query(.get, "Foo: \(value) | Bar: 2")

        let fresh = CachePolicy(audience: .private).updatedResponse(stored, by: head, query, CacheSamples.at(9), CacheSamples.at(9))

        #expect(fresh.variant.fields.map(\.name) == names)
        #expect(fresh.variant.matches(CacheSamples.fields("Foo: 1 | Bar: 2")))
    }

    @Test(arguments: [(199, 0), (200, 1), (399, 1), (400, 0)])
    func `A successful unsafe request invalidates the stored responses`(status: Int, count: Int) {
        let head = ResponseHead(status: .init(code: status))

        #expect(CachePolicy(audience: .private).invalidatedURLs(by: head, to: CacheSamples.query(.put)).count == count)
    }

    @Test(arguments: [
        (HTTPRequest.Method.head, 200, 200, "replace"), (.get, 200, 200, "unchanged"), (.head, 206, 200, "unchanged"),
        (.head, 404, 200, "unchanged"),
        (.head, 200, 201, "unchanged"), (.head, 200, 404, "remove"), (.head, 200, 409, "unchanged"), (.head, 200, 410, "remove"),
        (.head, 200, 411, "unchanged"),
    ])
    func `A response to HEAD updates a complete stored response`(method: HTTPRequest.Method, storedStatus: Int, status: Int, words: String)
    {
        let response = CacheSamples.response("Cache-Control: max-age=5", status: storedStatus)

        let effect = CachePolicy(audience: .private).effect(
            of: ResponseHead(status: .init(code: status)), on: response, CacheSamples.query(method), requestTime: CacheSamples.at(9),
            now: CacheSamples.at(9))

        #expect("\(effect)".hasPrefix(words))
    }

    @Test(arguments: [
        ("", "x=1"), ("Cache-Control: max-age=0", "x=1"), ("Cache-Control: max-age=1", "x=2"), ("Expires: +9", "x=1"),
        ("Expires: +10", "x=2"),
    ])
    func `The cookie of a 304 is stored for others only with a positive explicit lifetime`(field: String, cookie: String) {
        let former = CacheSamples.response("Cache-Control: public, max-age=5 | ETag: \"a\" | Set-Cookie: x=1")
        let head = ResponseHead(status: .notModified, headers: CacheSamples.fields("\(field) | Set-Cookie: x=2"))
        let policy = CachePolicy(audience: .shared)
        let fresh = policy.updatedResponse(former, by: head, CacheSamples.query(), CacheSamples.at(9), CacheSamples.at(9))

        guard case .replace(let response) = policy.update(of: former, to: fresh, by: head, CacheSamples.query()) else {
            return #expect(Bool(false))
        }

        #expect(fresh.headers[.setCookie] == "x=2" && response.headers[.setCookie] == cookie)
    }
}
