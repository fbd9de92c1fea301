import HTTPFieldValues
import Testing

@Suite struct FieldListTests {
    @Test(arguments: [
        ("a, b", ["a", "b"]), ("a=\"b, c\", d", ["a=\"b, c\"", "d"]), (" ,a,, ", ["a"]), ("\"a\\\", b\"", ["\"a\\\", b\""]), ("", []),
        // An accent makes a quotation mark or a comma another character.
        ("x=\"\u{301}a\", no-store", ["x=\"\u{301}a\"", "no-store"]), ("a,\u{301}b, c", ["a", "\u{301}b", "c"]),
    ])
    func `Members are between commas outside of quoted strings`(text: String, members: [String]) {
        let found = FieldList.members(text)

        #expect(found.map { Array($0.utf8) } == members.map { Array($0.utf8) })
    }

    @Test(arguments: [("\"a\"", "a"), ("a", "a"), ("\"a\\\"b\"", "a\"b"), ("\"", nil), ("\"a", nil), ("\"\u{301}\"", "\u{301}")])
    func `A quoted string is read without its quotes and escapes`(text: String, content: String?) {
        #expect(FieldList.withoutQuotes(text[...]) == content)
    }
}
