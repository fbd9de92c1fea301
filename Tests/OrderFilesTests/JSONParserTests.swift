import OrderFiles
import Testing

@Suite("JSON parser")
struct JSONParserTests {
    @Test(
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("42.50", .number("42.50")), ("-0", .number("-0")),
            ("1e999999999", .number("1e999999999")), ("\"a\"", .string("a")), ("[]", .array([])), ("{ }", .object([])),
            ("[1,[2] , \"\"]", .array([.number("1"), .array([.number("2")]), .string("")])),
            ("{\"a\":1,\"a\":null}", .object([JSONMember(key: "a", value: .number("1")), JSONMember(key: "a", value: .null)])),
            (#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00x""#, .string("\"\\/\u{8}\u{c}\n\r\t\u{e9}😀x")),
        ] as [(String, JSONValue)])
    func `Values are parsed, and numbers stay as they are written`(text: String, expected: JSONValue) throws {
        #expect(try parse(text) == expected)
    }

    @Test(arguments: [
        ("", "a value", 1), ("{", "a quote", 2), ("{\"a\" 1}", "\":\"", 6), ("{\"a\":1,}", "a quote", 8), ("[1 2]", "\",\" or \"]\"", 4),
        ("[1,]", "a value", 4), ("01", "a number without leading zeros", 3), ("1.", "a digit", 3), ("1e+", "a digit", 4),
        ("+1", "a value", 1),
        ("NaN", "a value", 1), ("tru", "a value", 1), ("\"ä", "a closing quote", 3), ("\"\n\"", "a closing quote", 2),
        (#""\x""#, "one of", 3), (#""\u12G4""#, "four hexadecimal digits", 4), (#""\uD83D""#, "the other half", 8),
        (#""\uDE00""#, "the other half", 8), (#""\uD83D\u0041""#, "the other half", 14), ("1 2", "the end of the line", 3),
        ("{'a':1}", "a quote", 2),
    ])
    func `An error says the expected text and its position`(text: String, expected: String, column: Int) {
        let problem = #expect(throws: JSONProblem.self) { try parse(text) }

        guard case .syntax(let found, column)? = problem, found.text.hasPrefix(expected) else {
            Issue.record("\(text): \(String(describing: problem))")
            return
        }
    }

    @Test func `Deep nesting and many values are refused`() throws {
        let limit = JSONParser.depthLimit
        _ = try parse(String(repeating: "[", count: limit) + String(repeating: "]", count: limit))

        #expect(throws: JSONProblem.depthExceeded(limit: limit)) { try parse(String(repeating: "[", count: 200_000)) }
        #expect(throws: JSONProblem.depthExceeded(limit: limit)) { try parse(String(repeating: "{\"a\":", count: limit + 1)) }
        #expect(throws: JSONProblem.tooManyValues(limit: JSONParser.valueLimit)) {
            try parse("[" + String(repeating: "0,", count: JSONParser.valueLimit) + "0]")
        }
    }

    private func parse(_ text: String) throws(JSONProblem) -> JSONValue {
        let bytes = [UInt8](text.utf8)
        return try JSONParser.parse(bytes, in: 0..<bytes.count)
    }
}
