import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

/// Tests of targeted fields, which apply to some caches only (RFC 9213).
@Suite struct TargetedCacheControlTests {
    private func targeted(_ lines: String...) -> CacheControl? {
        var headers = HTTPFields()
        for line in lines { headers.append(HTTPField(name: .cdnCacheControl, value: line)) }
        return CacheControl(.cdnCacheControl, in: headers)
    }

    @Test(arguments: [
        ("max-age=60", 60), (" max-age=60 , foo ", 60), ("foo,max-age=60", 60), ("foo=bar, max-age=60", 60),
        ("foo=(1 \"a\");b, max-age=60", 60),
        ("foo=1.5, bar=:YQ==:, max-age=60", 60), ("max-age=60;foo;bar=1", 60), ("max-age=0060", 60), ("max-age=1, max-age=60", 60),
        ("max-age=99999999999", 1 << 31), ("max-age=-60", 0), ("max-age=0", 0),
    ])
    func `Seconds are integers, and negative ones count as zero`(text: String, seconds: Int) {
        #expect(targeted(text)?.seconds("max-age") == seconds)
    }

    @Test(arguments: [
        // Invalid structured fields.
        "", " ", "max-age=60,", ",max-age=60", "max-age=60, &&&&&", "MaX-aGe=60", "max-age =60", "max-age= 60", "max-age=",
        "max-age=60 foo",
        "max-age=\"60", "max-age=60a", "max-age=9999999999999999", "max-age=60, f\u{e9}",
        // Structured fields with an argument of the wrong type.
        "max-age", "max-age=?1", "max-age=\"60\"", "max-age=60.5", "max-age=a60", "max-age=(60)", "max-age=:YQ==:", "max-age=@60",
        "s-maxage=\"60\"", "stale-if-error=a", "stale-while-revalidate=1.0", "no-store=?0", "no-store=1", "must-revalidate=\"a\"",
        "public=a", "no-cache=1", "private=?0", "private=(a b)", "max-age=60, private=1.5",
    ])
    func `An invalid targeted field is ignored`(text: String) {
        #expect(targeted(text) == nil)
    }

    @Test func `Several lines are one field, and the last of repeated directives counts`() {
        #expect(targeted("max-age=1, no-store", "max-age=2")?.seconds("max-age") == 2)
        #expect(targeted("max-age=1, no-store", "max-age=2")?.has("no-store") == true)
        #expect(targeted("max-age=1", "&&&") == nil)
        #expect(targeted() == nil)
    }

    @Test(arguments: ["no-cache=\"Set-Cookie, A\", private", "private, no-cache=\"Set-Cookie,A\";b=1"])
    func `A directive with field names applies to those fields only`(text: String) throws {
        let control = try #require(targeted(text))

        #expect(!control.hasUnqualified("no-cache") && control.hasUnqualified("private") && !control.has("public"))
        #expect(control.fields(of: "no-cache").map(\.canonicalName) == ["set-cookie", "a"])
    }

    private static let customField = HTTPField.Name("My-Cache-Control")!

    @Test(arguments: [
        ("My-Cache-Control: max-age=1 | CDN-Cache-Control: max-age=2 | Cache-Control: max-age=3", 1.0),
        ("CDN-Cache-Control: max-age=2 | Cache-Control: max-age=3 | My-Cache-Control: max-age=1", 1),
        ("CDN-Cache-Control: max-age=2 | Cache-Control: max-age=3", 2), ("Cache-Control: max-age=3 | Expires: +4", 3), ("Expires: +4", 4),
        ("My-Cache-Control:  | CDN-Cache-Control: max-age=2", 2), ("My-Cache-Control: max-age=x | CDN-Cache-Control: max-age=2", 2),
        ("My-Cache-Control: ? | CDN-Cache-Control: ? | Cache-Control: max-age=3", 3), ("My-Cache-Control: ? | Expires: +4", 4),
        ("Other-Cache-Control: max-age=9 | Cache-Control: max-age=3", 3),
        // A field without a lifetime overrides the other fields nevertheless.
        ("My-Cache-Control: none | CDN-Cache-Control: max-age=2 | Cache-Control: max-age=3 | Expires: +4", 0),
        ("My-Cache-Control: none | Cache-Control: max-age=3 | Last-Modified: -1000", 100),
    ])
    func `The first valid targeted field counts`(line: String, lifetime: Double) {
        let role = CacheRole(.shared, targets: [Self.customField, .cdnCacheControl])

        #expect(abs(Freshness(of: CacheSamples.response(line), in: role, at: CacheSamples.start).lifetime - lifetime) < 1)
    }

    @Test func `A shared cache uses CDN-Cache-Control, and a private one does not`() {
        let response = CacheSamples.response("Cache-Control: max-age=1 | CDN-Cache-Control: max-age=2, s-maxage=3")

        #expect(Freshness(of: response, in: .shared, at: CacheSamples.start).lifetime == 3)
        #expect(Freshness(of: response, in: .private, at: CacheSamples.start).lifetime == 1)
        #expect(Freshness(of: response, in: CacheRole(.shared, targets: []), at: CacheSamples.start).lifetime == 1)
        #expect(Freshness(of: response, in: CacheRole(.private, targets: [.cdnCacheControl]), at: CacheSamples.start).lifetime == 2)
    }
}
