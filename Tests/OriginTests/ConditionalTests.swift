import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

@Suite("Conditional requests")
struct ConditionalTests {
    let bytes = ByteBuffer(string: "<order/>")

    @Test func `Equal bytes have equal tags and different bytes have different tags`() {
        #expect(EntityTag(of: bytes) == EntityTag(of: ByteBuffer(string: "<order/>")))
        #expect(EntityTag(of: bytes) != EntityTag(of: ByteBuffer(string: "<order />")))
        #expect(EntityTag(of: ByteBuffer()).text == "\"cbf29ce484222325-0\"")
    }

    @Test(arguments: [
        ("TAG", true), ("W/TAG", true), ("*", true), (" * ", true), ("\"other\"", false), ("\"other\", TAG", true),
        ("\"other\" ,\tW/TAG", true), (",, TAG ,", true), ("\"a,b\", TAG", true), ("\"*\"", false), ("", false),
        ("other", false), ("\"other", false), ("w/TAG", false), ("\"x TAG", false),
    ])
    func `A weak comparison matches weak and strong tags of a list`(field: String, matches: Bool) {
        let tag = EntityTag(of: bytes)

        let field = field.replacing("TAG", with: tag.text)

        #expect(tag.matches(anyIn: field) == matches)
    }

    @Test(arguments: [("TAG", true), ("W/TAG", false), ("W/TAG, TAG", true), ("\"other\"", false), ("*", true)])
    func `A strong comparison ignores weak tags`(field: String, matches: Bool) {
        let tag = EntityTag(of: bytes)

        let field = field.replacing("TAG", with: tag.text)

        #expect(tag.matches(anyIn: field, strongly: true) == matches)
    }

    @Test(arguments: [
        "Fri, 15 May 2026 12:00:00 GMT", "Friday, 15-May-26 12:00:00 GMT", "Fri May 15 12:00:00 2026",
    ])
    func `All three HTTP date formats are parsed and the preferred one is written`(text: String) {
        #expect(HTTPDate(text) == HTTPDate(demoDate))
        #expect(HTTPDate(text)?.text == "Fri, 15 May 2026 12:00:00 GMT")
    }

    @Test(arguments: ["", "yesterday", "2026-05-15T12:00:00Z", "Fri, 15 May 2026"])
    func `Text that is not an HTTP date is rejected`(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test(
        arguments: [
            ([:], false),
            ([.ifNoneMatch: "TAG"], true),
            ([.ifNoneMatch: "\"other\""], false),
            ([.ifModifiedSince: "Fri, 15 May 2026 12:00:00 GMT"], true),
            ([.ifModifiedSince: "Fri, 15 May 2026 11:59:59 GMT"], false),
            ([.ifModifiedSince: "Sat, 16 May 2026 00:00:00 GMT"], true),
            ([.ifModifiedSince: "soon"], false),
            ([.ifNoneMatch: "\"other\"", .ifModifiedSince: "Sat, 16 May 2026 00:00:00 GMT"], false),
            ([.ifNoneMatch: "TAG", .ifModifiedSince: "Fri, 15 May 2026 11:59:59 GMT"], true),
        ] as [(HTTPFields, Bool)])
    func `Entity tags take precedence over the modification date`(fields: HTTPFields, unmodified: Bool) {
        let document = Representation(bytes, of: .details, lastModified: HTTPDate(demoDate))
        var headers = fields
        headers[.ifNoneMatch] = fields[.ifNoneMatch]?.replacing("TAG", with: EntityTag(of: bytes).text)

        #expect(document.isUnmodified(for: headers) == unmodified)
    }
}
