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
    case syntax(expected: String, column: Int)
    case tooDeep(limit: Int)
    case tooManyValues(limit: Int)
    case notAnObject

    /// The requirement, to follow the value.
    var requirement: String {
        switch self {
        case .syntax(let expected, let column): "the line must be a JSON object: expected \(expected) at character \(column)"
        case .tooDeep(let limit): "the line must not have more than \(limit) nested arrays and objects"
        case .tooManyValues(let limit): "the line must not have more than \(limit) values"
        case .notAnObject: "the line must be a JSON object such as {\"title\":\"…\"}"
        }
    }
}
