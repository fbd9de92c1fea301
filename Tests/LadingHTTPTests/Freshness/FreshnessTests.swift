import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

@Suite struct FreshnessTests {
    private func freshness(_ line: String, status: Int = 200, in role: CacheRole = .private, at seconds: Double = 0) -> Freshness {
        Freshness(of: CacheSamples.response(line, status: status), in: role, at: CacheSamples.at(seconds))
    }

    @Test(arguments: [
        ("", 0), ("Cache-Control: max-age=60", 60), ("Cache-Control: max-age=60 | Expires: +1000", 60),
        ("Cache-Control: max-age=0 | Expires: +1000", 0), ("Expires: +1000", 1000), ("Expires: -1", -1), ("Expires: 0x", 0),
        ("Date: +400 | Expires: +300", -100), ("Date: foo | Expires: +10", 10), ("Last-Modified: -1000", 100),
        ("Last-Modified: -1000 | Cache-Control: max-age=5", 5), ("Last-Modified: -100000000", 7.0 * 24 * 3600), ("Last-Modified: +1000", 0),
        ("Cache-Control: s-maxage=7", 0),
    ])
    func `The lifetime is explicit or heuristic`(line: String, lifetime: Double) {
        #expect(abs(freshness(line).lifetime - lifetime) < 0.001)
    }

    @Test func `s-maxage applies to shared caches only`() {
        #expect(freshness("Cache-Control: max-age=1, s-maxage=60", in: .shared).lifetime == 60)
        #expect(freshness("Cache-Control: max-age=1, s-maxage=60", in: .private).lifetime == 1)
    }

    @Test(arguments: [(9.0, true, 0.0), (10, false, 0), (12, false, 2)])
    func `A response is stale from the end of its lifetime`(age: Double, isFresh: Bool, staleness: Double) {
        let freshness = freshness("Cache-Control: max-age=10", at: age)

        #expect(freshness.isFresh == isFresh && freshness.staleness == staleness)
    }

    @Test func `Only some statuses have a heuristic lifetime`() {
        let statuses = (200..<600).filter { freshness("Last-Modified: -1000", status: $0).lifetime > 0 }

        #expect(statuses == [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])
    }

    @Test(arguments: [200, 201, 403, 503, 599])
    func `An explicit lifetime, and the heuristic one of a public response, apply to any status`(status: Int) {
        #expect(freshness("Last-Modified: -1000 | Cache-Control: public", status: status).lifetime > 0)
        #expect(freshness("Cache-Control: max-age=60", status: status).lifetime == 60)
    }

    @Test func `A success that is no part, a redirect and a missing resource replace the whole representation`() {
        let expected: [Int] = Array(200...205) + Array(207...299) + [301, 302, 303, 307, 308, 404, 410]

        #expect((100..<600).filter { StatusRules.replacesRepresentation($0) } == expected)
    }

    @Test(arguments: [
        ("", 5.0, 5.0), ("Age: 100", 5, 105), ("Age: abc", 5, 5), ("Age: -7200", 5, 5), ("Age: 7.0", 5, 5), ("Age: 7200, 0", 5, 7205),
        ("Age: 0, 7200", 5, 5), ("Age: 7200 | Age: 0", 5, 7205), ("Age: 2147483649", 0, 2_147_483_648), ("Date: -50", 5, 55),
        ("Date: +50", 5, 5), ("Date: -50 | Age: 10", 0, 50), ("", -5, 0),
    ])
    func `The age is computed from Age and Date`(line: String, passed: Double, age: Double) {
        #expect(abs(freshness(line, at: passed).age - age) < 1)
    }

    @Test func `The response delay is added to the age`() {
        var response = CacheSamples.response("Age: 10")
        response.requestTime = CacheSamples.at(-5)

        #expect(Freshness(of: response, in: .private, at: CacheSamples.at(2)).age == 17)
    }

    @Test(arguments: [
        ("Vary: Foo", "Foo: 1", "Foo: 1", true), ("Vary: Foo", "Foo: 1", "Foo: 2", false), ("Vary: Foo", "", "Foo: 1", false),
        ("Vary: Foo", "Foo: 1", "", false), ("Vary: Foo", "", "", true), ("Vary: foo, BAR", "Foo: 1 | Bar: 2", "bar: 2 | foo: 1", true),
        ("Vary: Foo", "Foo: 1, 2", "Foo: 1 | Foo: 2", true), ("Vary: Foo", "Foo: 1,2", "Foo:  1 , 2 ", true),
        ("Vary: Foo", "Foo: 1 | Other: 2", "Foo: 1 | Other: 3", true), ("Vary: Foo", "Foo: a", "Foo: A", false),
        ("Vary: Accept-Language", "Accept-Language: en, de", "Accept-Language: De,en;q=1.0", true),
        ("Vary: Accept-Language", "Accept-Language: en, de", "Accept-Language: de, en;q=0.5", false),
        ("Vary: Accept-Language | Content-Language: de", "Accept-Language: en, de", "Accept-Language: fr;q=0.5, de", true),
        ("Vary: Accept-Language | Content-Language: de", "Accept-Language: en, de", "Accept-Language: fr, de", false),
        ("Vary: Accept-Language, Foo | Content-Language: de", "Foo: 1", "Accept-Language: de | Foo: 2", false),
        ("Vary: Accept-Encoding", "Accept-Encoding: gzip, br", "Accept-Encoding: br,  GZIP", true),
    ])
    func `A response matches requests with equal Vary fields`(response: String, of: String, to: String, isAnswer: Bool) {
        #expect(CacheSamples.response(response, for: of).matchesVariant(of: CacheSamples.fields(to)) == isAnswer)
    }

    @Test(arguments: ["*", "Foo, *", ", *"])
    func `Vary with an asterisk matches no request`(vary: String) {
        #expect(Variant(of: CacheSamples.fields("Vary: \(vary)"), to: [:]) == nil)
    }

    @Test(arguments: ["M\u{FFFD}nchen", "1, \u{FFFD}"])
    func `A value with replaced bytes matches no request, also one that an earlier release stored`(value: String) {
        let request = CacheSamples.fields("Bar: 1 | Foo: \(value)")
        let stored = Variant(fields: [Variant.Field(name: "foo", value: value.replacing(", ", with: ","))])

        #expect(Variant(of: CacheSamples.fields("Vary: Foo"), to: request) == nil)
        #expect(!stored.matches(request))
        #expect(Variant(of: CacheSamples.fields("Vary: Bar"), to: request)?.matches(request) == true)
    }

    @Test func `Each variant has a name, and the default variant has none`() {
        let names = ["", "Foo: 1", "Foo: 2"].map { CacheSamples.response("Vary: Foo", for: $0).name }

        #expect(Set(names).count == 3 && CacheSamples.response("").name.isEmpty)
    }

    @Test(arguments: [
        ("Accept", "Accept: image/png", "054dc01d78348bfe9c4eb05881f78dfe"), ("Foo", "", "2a9455290e83d94f708142cfb7be167d"),
        ("Accept-Language", "Accept-Language: de, fr;q=0.5", "0446f3da2c7cb69a44c306148686acb3"),
    ])
    func `The name of a variant is the FNV-1a hash of its fields in 32 hexadecimal digits`(vary: String, request: String, name: String) {
        #expect(CacheSamples.response("Vary: \(vary)", for: request).name == name)
    }

    @Test func `A stored response is restored from its metadata`() throws {
        let responses = [
            CacheSamples.response("Cache-Control: max-age=60 | ETag: \"a: b\" | Vary: Foo, Bar | X: ", for: "Foo: 1, 2"),
            CacheSamples.response("", status: 206, part: StoredResponse.Part(first: 3, total: nil)),
            CacheSamples.response("Set-Cookie: a=b | Set-Cookie: c=d", status: 404, part: StoredResponse.Part(first: 0, total: 70)),
        ]

        for response in responses { #expect(StoredResponse(metadata: response.metadata, length: 10) == response) }
    }

    @Test(arguments: [
        "", "lading-reply 2\n200", "lading-reply 1\n200\n1\n1\n\n9\n", "lading-reply 1\n200\nx\n1\n\n0",
        "lading-reply 1\n200\n1\n1\n\n0\nno field",
    ])
    func `Metadata of another format is rejected`(text: String) {
        #expect(StoredResponse(metadata: Array(text.utf8), length: 0) == nil)
    }
}
