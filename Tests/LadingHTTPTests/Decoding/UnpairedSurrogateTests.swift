import Foundation
import LadingHTTP
import Testing

@Suite struct UnpairedSurrogateTests {
    @Test(arguments: [
        (#"["a\ud83d"]"#, "a\u{FFFD}"), (#"["\uD83Db"]"#, "\u{FFFD}b"), (#"["\ude9a"]"#, "\u{FFFD}"),
        (#"["\ud83d\ud83d\ude9a"]"#, "\u{FFFD}🚚"),
        (#"["\ud83d\ude9a\ude9a"]"#, "🚚\u{FFFD}"), (#"["\ud83d\u0041"]"#, "\u{FFFD}A"), (#"["\\ud83d"]"#, #"\ud83d"#),
        (#"["\\\ud83d"]"#, "\\\u{FFFD}"), (#"["\ud83d\n"]"#, "\u{FFFD}\n"), (#"["\u00e9"]"#, "é"),
    ])
    func `Escapes of unpaired surrogates are replaced in a document`(document: String, text: String) throws {
        let replaced = Array(document.utf8).replacingUnpairedSurrogates

        #expect(try JSONDecoder().decode([String].self, from: Data(replaced)) == [text])
    }

    @Test(arguments: [#"["\ud83"#, #"["\ud83g"]"#, #"["\u"#, #"["\"#, "", "[]"])
    func `Other documents are unchanged`(document: String) {
        #expect(Array(document.utf8).replacingUnpairedSurrogates == Array(document.utf8))
    }

    @Test func `A document in UTF-16 is unchanged`() throws {
        // As bytes, these ideographs are such an escape.
        let document = Array(try #require("[\"\u{5C75}\u{6438}\u{3364}\"]".data(using: .utf16BigEndian)))

        #expect(document.replacingUnpairedSurrogates == document)
    }
}
