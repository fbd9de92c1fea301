import HTTPFieldValues
import HTTPTypes
import Testing

@Suite struct EntityTagTests {
    @Test(
        arguments: [
            ("\"a\"", "\"a\"", true, true), ("\"a\"", "\"b\"", false, false), ("W/\"a\"", "\"a\"", true, false),
            ("\"a\"", "W/\"a\"", true, false), ("W/\"a\"", "W/\"a\"", true, false), ("W/\"a\"", "W/\"b\"", false, false),
            // The same letter in other bytes.
            ("\"\u{E9}\"", "\"e\u{301}\"", false, false),
            // Perhaps other bytes, which were replaced.
            ("\"\u{FFFD}\"", "\"\u{FFFD}\"", false, false), ("W/\"\u{FFFD}\"", "W/\"\u{FFFD}\"", false, false),
        ])
    func `Weak tags match only where weakness is ignored`(first: String, second: String, isWeakMatch: Bool, isStrongMatch: Bool) {
        #expect(EntityTag(first).isWeakMatch(EntityTag(second)) == isWeakMatch)
        #expect(EntityTag(first).isStrongMatch(EntityTag(second)) == isStrongMatch)
    }

    private static let tag = EntityTag("\"1-8\"")

    @Test(arguments: [
        ("TAG", true), ("W/TAG", true), ("*", true), (" * ", true), ("\"other\"", false), ("\"other\", TAG", true),
        ("\"other\" ,\tW/TAG", true), (",, TAG ,", true), ("\"a,b\", TAG", true), ("\"*\"", false), ("", false),
        ("other", false), ("\"other", false), ("w/TAG", false), ("\"x TAG", false), ("\"a\\\", TAG", true), ("\"other\" TAG", false),
        ("*, \"other\"", false),
    ])
    func `A weak comparison matches weak and strong tags of a list`(field: String, matches: Bool) {
        let condition = EntityTag.list(field.replacing("TAG", with: Self.tag.text))

        #expect(Self.tag.matches(anyIn: condition) == matches)
    }

    @Test(arguments: [("TAG", true), ("W/TAG", false), ("W/TAG, TAG", true), ("\"other\"", false), ("*", true)])
    func `A strong comparison ignores weak tags`(field: String, matches: Bool) {
        let condition = EntityTag.list(field.replacing("TAG", with: Self.tag.text))

        #expect(Self.tag.matches(anyIn: condition, strongly: true) == matches)
    }

    @Test func `A list may span several fields`() {
        var fields: HTTPFields = [:]
        fields[values: .ifNoneMatch] = ["\"a\", \"b,c\"", "W/\"d\""]

        #expect(fields.entityTags(in: .ifNoneMatch).map(\.text) == ["\"a\"", "\"b,c\"", "W/\"d\""])
    }

    @Test func `Equal bytes have equal tags and different bytes have different tags`() {
        let tag = { (text: String) in Array(text.utf8).withUnsafeBytes { EntityTag(ofBytes: $0) } }

        #expect(tag("<order/>").text == "\"5faa7bcb93ae3a78-8\"")
        #expect(tag("<order/>") != tag("<order />"))
        #expect(tag("").text == "\"cbf29ce484222325-0\"")
    }
}
