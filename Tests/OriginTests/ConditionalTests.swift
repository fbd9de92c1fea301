import Foundation
import HTTPFieldValues
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

@Suite("Conditional requests")
struct ConditionalTests {
    let bytes = ByteBuffer(string: "<order/>")

    @Test func `The tag of a buffer is that of its readable bytes`() {
        var buffer = bytes
        buffer.moveReaderIndex(forwardBy: 1)

        #expect(EntityTag(of: buffer) == EntityTag(of: ByteBuffer(string: "order/>")))
        #expect(EntityTag(of: bytes).text == "\"5faa7bcb93ae3a78-8\"")
    }

    @Test(
        arguments: [
            ([:], false),
            ([.ifNoneMatch: "TAG"], true),
            ([.ifNoneMatch: "\"other\""], false),
            ([.ifModifiedSince: "Fri, 15 May 2026 12:00:00 GMT"], true),
            ([.ifModifiedSince: "Fri, 15 May 2026 11:59:59 GMT"], false),
            ([.ifModifiedSince: "Sat, 16 May 2026 00:00:00 GMT"], true),
            ([.ifModifiedSince: "Friday, 15-May-26 12:00:00 GMT"], true),
            ([.ifModifiedSince: "soon"], false),
            ([.ifNoneMatch: "\"other\"", .ifModifiedSince: "Sat, 16 May 2026 00:00:00 GMT"], false),
            ([.ifNoneMatch: "TAG", .ifModifiedSince: "Fri, 15 May 2026 11:59:59 GMT"], true),
        ] as [(HTTPFields, Bool)])
    func `Entity tags take precedence over the modification date`(fields: HTTPFields, unmodified: Bool) {
        let document = Representation(bytes, of: .details, lastModified: HTTPDate(demoDate))
        var headers = fields
        headers[.ifNoneMatch] = fields[.ifNoneMatch]?.replacing("TAG", with: EntityTag(of: bytes).text)

        #expect(document.isUnmodified(for: headers, now: demoDate) == unmodified)
    }

    @Test func `Several modification dates are ignored`() {
        let document = Representation(bytes, of: .details, lastModified: HTTPDate(demoDate))
        var headers: HTTPFields = [:]
        headers[values: .ifModifiedSince] = Array(repeating: "Fri, 15 May 2026 12:00:00 GMT", count: 2)

        #expect(!document.isUnmodified(for: headers, now: demoDate))
    }
}
