import Foundation
import HTTPFieldValues
import HTTPTypes
import Testing
@testable import LadingHTTP

@Suite struct CacheControlTests {
    private func control(_ lines: String...) -> CacheControl {
        var headers = HTTPFields()
        for line in lines { headers.append(HTTPField(name: .cacheControl, value: line)) }
        return CacheControl(headers)
    }

    @Test(arguments: [
        ("max-age=60", 60), ("MaX-aGe=60", 60), ("foo, max-age=60", 60), (" max-age=60 ,foo", 60), ("max-age=0060", 60),
        ("max-age=\"60\"", 60), ("max-age=1, max-age=60", 1), ("x=\"max-age=60\", max-age=1", 1), ("x=\"a\\\", max-age=60\", max-age=1", 1),
        ("max-age=99999999999", 1 << 31), ("max-age=9999999999999999999999999", 1 << 31), ("max-age=2147483649", 1 << 31),
        ("max-age=-60", 0), ("max-age='60'", 0), ("max-age=60.5", 0), ("max-age=60a", 0), ("max-age= 60", 0), ("max-age", 0),
        ("max-age=\"60", 0), ("max-age=", 0),
    ])
    func `Seconds are parsed, and invalid ones count as zero`(text: String, seconds: Int) {
        #expect(control(text).seconds("max-age") == seconds)
    }

    @Test(arguments: ["", "foo", "max-age =60", "s-maxage=60", "x=\"max-age=60\""])
    func `Other directives set no max-age`(text: String) {
        #expect(control(text).seconds("max-age") == nil)
    }

    @Test func `The first of repeated directives counts`() {
        #expect(control("max-age=1", "max-age=2, no-store").seconds("max-age") == 1)
        #expect(control("max-age=1", "max-age=2, no-store").has("no-store"))
    }

    @Test func `A directive with field names applies to those fields only`() {
        let control = control("no-cache=\"Set-Cookie, A\", private")

        #expect(!control.hasUnqualified("no-cache") && control.hasUnqualified("private"))
        #expect(control.fields(of: "no-cache").map(\.canonicalName) == ["set-cookie", "a"])
    }

    @Test(arguments: [("max-stale", 1 << 31), ("max-stale=5", 5), ("max-stale=x", 0)])
    func `max-stale accepts responses that are stale by that many seconds`(text: String, seconds: Int) {
        #expect(control(text).maxStale == seconds)
    }
}
