import Foundation
import LadingFirebase
import LadingHTTP

/// The content of a write to a `FirebaseTree`: its keys are valid, its server values are computed, and its priorities are separate.
struct FirebaseContent {
    struct InvalidData: Error { let reason: String }

    let path: [String]
    private(set) var value = JSONValue.null
    /// The priorities that the write sets, by the paths of their values.
    private(set) var priorities: [[String]: JSONValue] = [:]
    private let now: Date

    /// Creates the content of a write at a path.
    ///
    /// - Parameter old: The value that is replaced.
    /// - Throws: `InvalidData` when the database refuses a key, the depth, a server value or a priority.
    init(_ data: JSONValue, at path: [String], over old: JSONValue, now: Date) throws(InvalidData) {
        self.path = path
        self.now = now
        value = try resolved(data, at: path, over: old)
    }

    private mutating func resolved(_ data: JSONValue, at path: [String], over old: JSONValue) throws(InvalidData) -> JSONValue {
        guard (try? DatabasePath(path)) != nil else {
            throw InvalidData(reason: "Invalid data; couldn't parse JSON object. Are you sending a JSON object with valid key names?")
        }
        switch data {
        case .array, .object: return try resolvedObject(data.members, at: path, over: old)
        default: return data
        }
    }

    private mutating func resolvedObject(_ members: [String: JSONValue], at path: [String], over old: JSONValue) throws(InvalidData)
        -> JSONValue
    {
        var children = members
        if let data = children.removeValue(forKey: ".priority") { priorities[path] = try priority(data) }
        if let operation = children[".sv"] { return try serverValue(operation, over: old) }
        if let data = children.removeValue(forKey: ".value") {
            guard children.isEmpty else { throw InvalidData(reason: "Invalid data; .value cannot have siblings other than .priority.") }
            return try resolved(data, at: path, over: old)
        }
        let oldChildren = old.members
        for (key, data) in children { children[key] = try resolved(data, at: path + [key], over: oldChildren[key] ?? .null) }
        return .object(children)
    }

    /// Returns a priority, which is a string or a number; nil for null.
    private func priority(_ data: JSONValue) throws(InvalidData) -> JSONValue? {
        if let operation = data[".sv"] { return try serverValue(operation, over: .null) }
        switch data {
        case .null: return nil
        case .string, .integer, .number: return data
        default: throw InvalidData(reason: "Invalid data; .priority must be a string, a number or null.")
        }
    }

    // MARK: Server values

    /// Returns the result of an operation: `"timestamp"` or `{"increment": 1}`.
    private func serverValue(_ operation: JSONValue, over old: JSONValue) throws(InvalidData) -> JSONValue {
        if operation == "timestamp" { return .integer(Int(now.timeIntervalSince1970 * 1_000)) }
        guard let step = operation["increment"], let number = step.double else {
            throw InvalidData(reason: "Invalid data; the server value is unknown.")
        }
        guard let oldNumber = old.double else { return step }
        if case (.integer(let left), .integer(let right)) = (old, step) {
            let (sum, isTooLarge) = left.addingReportingOverflow(right)
            if !isTooLarge { return .integer(sum) }
        }
        let sum = oldNumber + number
        return Int(exactly: sum).map(JSONValue.integer) ?? .number(sum)
    }
}

extension JSONValue {
    /// The value of a number; nil for any other value.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}
