import Foundation
import JSONWriting
import Testing

@Suite struct JSONWriterTests {
    private static let texts = [
        "", "Zoë", "陳美玲", "\"The usual\"", "a\\b", "tab\tnewline\nreturn\r", "\u{0}", "\u{1F}", "\u{7F}", "</script>", "🧺",
    ]

    @Test(arguments: texts, [JSONEscapes.short, .unicode])
    func `Any text survives a round trip`(text: String, escapes: JSONEscapes) throws {
        var json = JSONWriter(escapes)

        json.object { $0.field("text", text) }

        #expect(try JSONDecoder().decode([String: String].self, from: Data(json.text.utf8)) == ["text": text])
        #expect(json.text == #"{"text":\#(text.jsonString(escapes))}"#)
    }

    @Test(
        arguments: [
            (JSONEscapes.short, #""\u0000\u0008\t\n\u000c\r\u000f\u0010\u001f \"\\/é""#),
            (.unicode, #""\u0000\u0008\u0009\u000a\u000c\u000d\u000f\u0010\u001f \"\\/é""#),
        ])
    func `Control characters are written with four digits, three of them optionally in short`(escapes: JSONEscapes, json: String) {
        #expect("\u{0}\u{8}\t\n\u{C}\r\u{F}\u{10}\u{1F} \"\\/é".jsonString(escapes) == json)
    }

    @Test func `Fields preserve their order and are separated by commas`() {
        var json = JSONWriter(.unicode)

        json.array([1, 2]) { number, json in
            json.object { json in
                json.field("number", number: number)
                json.field("half", number: Double(number) / 2)
                json.field("place") { json in
                    json.field("isFirst", flag: number == 1)
                    json.field("nothing", nil)
                    json.field("none", number: Int?.none)
                }
                json.field("texts", array: ["a", "b"]) { $1.string($0) }
            }
        }

        let first = #"{"number":1,"half":0.5,"place":{"isFirst":true,"nothing":null,"none":null},"texts":["a","b"]}"#
        let second = #"{"number":2,"half":1.0,"place":{"isFirst":false,"nothing":null,"none":null},"texts":["a","b"]}"#
        #expect(json.text == "[\(first),\(second)]")
    }

    @Test func `An array contains values of different types`() {
        var json = JSONWriter(.short)

        json.array { json in
            json.array { json in
                json.number(3)
                json.string("1.5")
            }
            json.array { _ in }
            json.string("\"")
        }

        #expect(json.text == #"[[3,"1.5"],[],"\""]"#)
    }

    @Test func `An array without elements is empty`() {
        var json = JSONWriter(.short)

        json.array([Int]()) { _, _ in Issue.record("There is nothing to write.") }

        #expect(json.text == "[]")
    }
}
