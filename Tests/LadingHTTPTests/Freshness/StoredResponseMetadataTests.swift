import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

/// Tests of the metadata of a stored response. Damaged metadata is read as a response or as nil.
@Suite struct StoredResponseMetadataTests {
    /// A response with the bytes 4 to 9 of twelve, for requests with a field.
    private let part = CacheSamples.response(
        "ETag: \"a\" | Vary: Foo", status: 206, for: "Foo: 1", body: 6, part: .init(first: 4, total: 12))

    /// Returns the response that is read after one of the lines was replaced.
    private func read(_ line: Int, _ text: String, length: Int = 6) -> StoredResponse? {
        var lines = String(decoding: part.metadata, as: UTF8.self).components(separatedBy: "\n")
        lines[line] = text
        return StoredResponse(metadata: Array(lines.joined(separator: "\n").utf8), length: length)
    }

    @Test func `A stored response is read as it was written`() {
        #expect(StoredResponse(metadata: part.metadata, length: 6) == part)
    }

    /// A value that begins with a mark, which makes the space before it another character.
    @Test func `A request field and a response field that begin with a mark are read as they were written`() throws {
        let response = CacheSamples.response("ETag: \"a\" | Vary: Foo | Bar: \u{301}b", for: "Foo: \u{FE0F}a", body: 6)
        let read = try #require(StoredResponse(metadata: response.metadata, length: 6))

        #expect(read == response)
        #expect(read.metadata == response.metadata)
    }

    @Test func `A response for one field is not served for another one that looks the same`() {
        let variant = Variant(fields: [.init(name: "foo", value: "\u{E9}")])

        #expect(variant.matches([.foo: "\u{E9}"]) && !variant.matches([.foo: "e\u{301}"]))
    }

    @Test func `A response with a decoded body is read as such, and one of an earlier release as one without`() {
        var decoded = CacheSamples.response("ETag: \"a\"")
        decoded.isDecoded = true

        #expect(StoredResponse(metadata: decoded.metadata, length: 10) == decoded)
        #expect(read(1, "206 decoded")?.isDecoded == true && read(1, "206")?.isDecoded == false)
    }

    @Test(arguments: [
        ("99", false), ("100", true), ("999", true), ("1000", false), ("-1", false), ("", false), (" decoded", false), ("200 coded", false),
    ])
    func `A status has three digits`(status: String, isRead: Bool) {
        #expect((read(1, status) != nil) == isRead)
    }

    @Test(arguments: [
        ("0", true), ("9007199254740992", true), ("9007199254740993", false), ("9223372036854775807", false),
        ("-9223372036854775808", false),
    ])
    func `A time is a number of milliseconds that can be written again`(time: String, isRead: Bool) {
        for line in [2, 3] {
            let response = read(line, time)

            #expect((response != nil) == isRead)
            #expect(response?.metadata.isEmpty != true)
        }
    }

    @Test(arguments: [
        ("4 12", true), ("4 10", true), ("4 9", false), ("4 -1", false), ("4 x", false), ("4 *", true), ("0 6", true), ("-1 12", false),
        ("9223372036854775801 *", true), ("9223372036854775802 *", false), ("4", false), ("", true),
    ])
    func `A partial range is within the total length`(text: String, isRead: Bool) {
        #expect((read(4, text) != nil) == isRead)
    }

    @Test(arguments: [("-1", false), ("0", true), ("1", true), ("4", true), ("5", false)])
    func `The number of variant fields is within the number of lines`(count: String, isRead: Bool) {
        #expect((read(5, count) != nil) == isRead)
    }
}

extension HTTPField.Name {
    fileprivate static let foo = Self("Foo")!
}
