import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

@Suite struct FreshnessTests {
    private func freshness(_ line: String, status: Int = 200, in role: CacheRole = .private, at seconds: Double = 0) -> Freshness {
        Freshness(of: Kept.reply(line, status: status), in: role, at: Kept.at(seconds))
    }

    @Test(arguments: [
        ("", 0), ("Cache-Control: max-age=60", 60), ("Cache-Control: max-age=60 | Expires: +1000", 60),
        ("Cache-Control: max-age=0 | Expires: +1000", 0), ("Expires: +1000", 1000), ("Expires: -1", -1), ("Expires: 0x", 0),
        ("Date: +400 | Expires: +300", -100), ("Date: foo | Expires: +10", 10), ("Last-Modified: -1000", 100),
        ("Last-Modified: -1000 | Cache-Control: max-age=5", 5), ("Last-Modified: -100000000", 7.0 * 24 * 3600), ("Last-Modified: +1000", 0),
        ("Cache-Control: s-maxage=7", 0),
    ])
    func `A reply is good for as long as it says, or as it has been so far`(line: String, lifetime: Double) {
        #expect(abs(freshness(line).lifetime - lifetime) < 1)
    }

    @Test func `What is meant for many counts for many alone`() {
        #expect(freshness("Cache-Control: max-age=1, s-maxage=60", in: .shared).lifetime == 60)
        #expect(freshness("Cache-Control: max-age=1, s-maxage=60", in: .private).lifetime == 1)
    }

    @Test(arguments: [
        (200, true), (203, true), (204, true), (301, true), (404, true), (410, true), (501, true), (201, false), (403, false), (503, false),
        (599, false),
    ])
    func `Only some statuses are good without saying so`(status: Int, isGood: Bool) {
        #expect((freshness("Last-Modified: -1000", status: status).lifetime > 0) == isGood)
        #expect(freshness("Last-Modified: -1000 | Cache-Control: public", status: status).lifetime > 0)
        #expect(freshness("Cache-Control: max-age=60", status: status).lifetime == 60)
    }

    @Test(arguments: [
        ("", 5.0, 5.0), ("Age: 100", 5, 105), ("Age: abc", 5, 5), ("Age: -7200", 5, 5), ("Age: 7.0", 5, 5), ("Age: 7200, 0", 5, 7205),
        ("Age: 0, 7200", 5, 5), ("Age: 7200 | Age: 0", 5, 7205), ("Age: 2147483649", 0, 2_147_483_648), ("Date: -50", 5, 55),
        ("Date: +50", 5, 5), ("Date: -50 | Age: 10", 0, 50), ("", -5, 0),
    ])
    func `A reply is as old as it was told to be, or as its date, and then grows older`(line: String, passed: Double, age: Double) {
        #expect(abs(freshness(line, at: passed).age - age) < 1)
    }

    @Test func `The time that a reply took counts`() {
        var reply = Kept.reply("Age: 10")
        reply.requestTime = Kept.at(-5)

        #expect(Freshness(of: reply, in: .private, at: Kept.at(2)).age == 17)
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
    func `A reply answers requests that are like its own in what it varies by`(reply: String, of: String, to: String, isAnswer: Bool) {
        #expect(Kept.reply(reply, for: of).answersVariant(of: Kept.fields(to)) == isAnswer)
    }

    @Test(arguments: ["*", "Foo, *", ", *"])
    func `Nobody knows what a star answers`(vary: String) {
        #expect(Variant(of: Kept.fields("Vary: \(vary)"), to: [:]) == nil)
    }

    @Test func `Variants have names of their own, and the only one has none`() {
        let names = ["", "Foo: 1", "Foo: 2"].map { Kept.reply("Vary: Foo", for: $0).name }

        #expect(Set(names).count == 3 && Kept.reply("").name.isEmpty)
    }

    @Test func `A note tells a reply again`() throws {
        let replies = [
            Kept.reply("Cache-Control: max-age=60 | ETag: \"a: b\" | Vary: Foo, Bar | X: ", for: "Foo: 1, 2"),
            Kept.reply("", status: 206, part: StoredReply.Part(first: 3, total: nil)),
            Kept.reply("Set-Cookie: a=b | Set-Cookie: c=d", status: 404, part: StoredReply.Part(first: 0, total: 70)),
        ]

        for reply in replies { #expect(StoredReply(note: reply.note, length: 10) == reply) }
    }

    @Test(arguments: [
        "", "lading-reply 2\n200", "lading-reply 1\n200\n1\n1\n\n9\n", "lading-reply 1\n200\nx\n1\n\n0",
        "lading-reply 1\n200\n1\n1\n\n0\nno field",
    ])
    func `A note of another hand tells nothing`(text: String) {
        #expect(StoredReply(note: Array(text.utf8), length: 0) == nil)
    }
}
