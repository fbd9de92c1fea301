import Foundation
import Testing

@testable import Origin

@Suite("JSON writer")
struct JSONWriterTests {
    @Test(arguments: ["", "Zoë", "陳美玲", "\"The usual\"", "a\\b", "tab\tnewline\nreturn\r", "\u{0}", "\u{1F}", "\u{7F}", "</script>", "🧺"])
    func `Any text survives a round trip`(text: String) throws {
        var json = JSONWriter()

        json.object { $0.member("text", text) }

        #expect(try JSONDecoder().decode([String: String].self, from: Data(json.text.utf8)) == ["text": text])
    }

    @Test func `Members preserve their order and are separated by commas`() {
        var json = JSONWriter()

        json.array([1, 2]) { number, json in
            json.object { json in
                json.member("number", number)
                json.member("half", Double(number) / 2)
                json.member("place") { json in
                    json.member("isFirst", number == 1)
                    json.nullMember("nothing")
                }
            }
        }

        #expect(
            json.text == """
                [{"number":1,"half":0.5,"place":{"isFirst":true,"nothing":null}},{"number":2,"half":1.0,"place":{"isFirst":false,"nothing":null}}]
                """)
    }

    @Test func `An array without elements is empty`() {
        var json = JSONWriter()

        json.array([Int]()) { _, _ in Issue.record("There is nothing to write.") }

        #expect(json.text == "[]")
    }
}
