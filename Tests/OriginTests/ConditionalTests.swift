import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

@Suite("Conditional requests")
struct ConditionalTests {
    let bytes = ByteBuffer(string: "<order/>")

    @Test func `The same bytes have the same tag, and other bytes another`() {
        #expect(EntityTag(of: bytes) == EntityTag(of: ByteBuffer(string: "<order/>")))
        #expect(EntityTag(of: bytes) != EntityTag(of: ByteBuffer(string: "<order />")))
        #expect(EntityTag(of: ByteBuffer()).text == "\"cbf29ce484222325-0\"")
    }

    @Test(arguments: [
        ("TAG", true), ("W/TAG", true), ("*", true), (" * ", true), ("\"other\"", false), ("\"other\", TAG", true),
        ("\"other\" ,\tW/TAG", true), (",, TAG ,", true), ("\"a,b\", TAG", true), ("\"*\"", false), ("", false),
        ("other", false), ("\"other", false), ("w/TAG", false), ("\"x TAG", false),
    ])
    func `A list names a tag when it holds it, weak or strong`(field: String, matches: Bool) {
        let tag = EntityTag(of: bytes)

        let field = field.replacing("TAG", with: tag.text)

        #expect(tag.matches(anyIn: field) == matches)
    }

    @Test(arguments: [("TAG", true), ("W/TAG", false), ("W/TAG, TAG", true), ("\"other\"", false), ("*", true)])
    func `Where bytes must be the same, weak tags of a list count for nothing`(field: String, matches: Bool) {
        let tag = EntityTag(of: bytes)

        let field = field.replacing("TAG", with: tag.text)

        #expect(tag.matches(anyIn: field, strongly: true) == matches)
    }

    @Test(arguments: [
        "Fri, 15 May 2026 12:00:00 GMT", "Friday, 15-May-26 12:00:00 GMT", "Fri May 15 12:00:00 2026",
    ])
    func `All three forms of a date are read, and one is written`(text: String) {
        #expect(HTTPDate(text) == HTTPDate(dateOfCity))
        #expect(HTTPDate(text)?.text == "Fri, 15 May 2026 12:00:00 GMT")
    }

    @Test(arguments: ["", "yesterday", "2026-05-15T12:00:00Z", "Fri, 15 May 2026"])
    func `What is no date is not read`(text: String) {
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
    func `Tags decide, and a date only without them`(fields: HTTPFields, unmodified: Bool) {
        let document = Representation(bytes, of: .details, lastModified: HTTPDate(dateOfCity))
        var headers = fields
        headers[.ifNoneMatch] = fields[.ifNoneMatch]?.replacing("TAG", with: EntityTag(of: bytes).text)

        #expect(document.isUnmodified(for: headers) == unmodified)
    }
}
