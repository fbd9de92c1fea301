import Foundation
import Testing

@testable import Window

@Suite struct JSONTextTests {
    @Test(arguments: [
        "", "17", "Zoë", "陳美玲", "🧺", "a/b", "</script>", "\"quoted\"", "a\\b", "tab\tline\nreturn\r", "\u{0}\u{8}\u{C}\u{1F}",
        "\u{7F}\u{85}\u{2028}",
    ])
    func `A text is the same JSON as that of an encoder`(text: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes

        #expect(JSONText(text).text == String(decoding: try encoder.encode(text), as: UTF8.self))
    }
}
