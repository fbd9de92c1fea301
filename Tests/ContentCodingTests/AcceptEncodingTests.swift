import Testing

@testable import ContentCoding

@Suite("Accept-Encoding") struct AcceptEncodingTests {
    @Test(arguments: [
        (nil, ContentCoding.identity), ("", .identity), ("gzip", .gzip), ("GZIP", .gzip), ("x-gzip", .gzip), ("br", .identity),
        ("deflate, br", .identity), ("gzip, deflate, br, zstd", .gzip), ("*", .gzip), ("*;q=0", .identity), ("gzip;q=0", .identity),
        ("gzip;q=0, *", .identity), ("gzip;q=0.001", .gzip), ("gzip;q=0.000", .identity), ("gzip;q=0.5, identity", .identity),
        ("gzip;q=0.5, identity;q=0.5", .gzip), ("gzip ; Q=0.7 , identity; q=0.3", .gzip), ("identity", .identity),
        ("identity;q=0", .identity), ("identity;q=0, gzip;q=0.1", .gzip), ("*;q=0.5, identity;q=0.8", .identity),
    ])
    func `The coding with the highest weight is preferred, gzip over identity`(field: String?, choice: ContentCoding) {
        #expect(AcceptEncoding(field).preferredCoding() == choice)
    }

    @Test(arguments: [
        "gzip;q=2", "gzip;q=1.001", "gzip;q=0.1234", "gzip;q=", "gzip;q=-1", "gzip;q=a", "gzip;level=9", "gzip;", ";q=1", "gzip;q=１",
        "gzip;q = 1",
    ])
    func `A member that is malformed is ignored`(field: String) {
        #expect(AcceptEncoding(field).preferredCoding() == (field == "gzip;" ? .gzip : .identity))
        #expect(AcceptEncoding("\(field), *;q=0.5").preferredCoding() == .gzip)
    }

    @Test(arguments: [
        (nil, false), ("gzip", false), ("identity;q=0", true), ("identity;q=0.001", false), ("*;q=0", true), ("*;q=0, identity", false),
        ("gzip, *;q=0", true),
    ])
    func `Identity is excluded by name or by the wildcard`(field: String?, isRefused: Bool) {
        #expect(AcceptEncoding(field).excludesIdentity == isRefused)
    }

    @Test func `Members beyond the limit are ignored`() {
        let others = Array(repeating: "br", count: AcceptEncoding.memberLimit)

        #expect(AcceptEncoding((others.dropLast() + ["gzip"]).joined(separator: ",")).preferredCoding() == .gzip)
        #expect(AcceptEncoding((others + ["gzip"]).joined(separator: ",")).preferredCoding() == .identity)
    }
}
