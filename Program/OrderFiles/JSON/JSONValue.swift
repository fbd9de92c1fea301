/// A value of JSON (RFC 8259) whose numbers are text, so that `42.50` is not rounded.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
}

/// A member of a JSON object.
package struct JSONMember: Hashable, Sendable {
    package let key: String
    package let value: JSONValue

    package init(key: String, value: JSONValue) {
        self.key = key
        self.value = value
    }
}

/// The reason why a line is no object of JSON.
package enum JSONProblem: Error, Hashable, Sendable {
    /// - Parameter column: The number of the character, from 1.
    case syntax(expected: JSONExpectation, column: Int)
    case depthExceeded(limit: Int)
    case tooManyValues(limit: Int)
    case notAnObject

    /// The requirement, to follow the value.
    var requirement: String {
        switch self {
        case .syntax(let expected, let column): "the line must be a JSON object: expected \(expected.text) at character \(column)"
        case .depthExceeded(let limit): "the line must not have more than \(limit) nested arrays and objects"
        case .tooManyValues(let limit): "the line must not have more than \(limit) values"
        case .notAnObject: "the line must be a JSON object such as {\"title\":\"…\"}"
        }
    }
}

/// The part of a JSON text that is expected at a position.
package enum JSONExpectation: String, CaseIterable, Hashable, Sendable {
    case value, digit, quote, escape, colon
    case numberWithoutLeadingZeros = "number-without-leading-zeros"
    case closingQuote = "closing-quote"
    case escapedCharacter = "escaped-character"
    case hexadecimalDigits = "hexadecimal-digits"
    case surrogateHalf = "surrogate-half"
    case commaOrBrace = "comma-or-brace"
    case commaOrBracket = "comma-or-bracket"
    case endOfLine = "end-of-line"

    package var text: String {
        switch self {
        case .value: "a value"
        case .digit: "a digit"
        case .quote: "a quote"
        case .escape: "an escape"
        case .colon: "\":\""
        case .numberWithoutLeadingZeros: "a number without leading zeros"
        case .closingQuote: "a closing quote; control characters are written as \\n or \\u0000"
        case .escapedCharacter: "one of \" \\ / b f n r t u"
        case .hexadecimalDigits: "four hexadecimal digits"
        case .surrogateHalf: "the other half of a surrogate pair"
        case .commaOrBrace: "\",\" or \"}\""
        case .commaOrBracket: "\",\" or \"]\""
        case .endOfLine: "the end of the line"
        }
    }
}
