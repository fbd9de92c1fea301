import Foundation

/// The position and the reason of a decoding error, in words of the document rather than names of types.
package struct DecodingProblem: Sendable {
    /// The path in the document, such as `orders[3].price`; empty for the whole document.
    package let path: String
    /// The reason, such as `is missing`.
    package let reason: String
    /// The path and the reason in one sentence.
    package let description: String

    package init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context): self.init(at: context.codingPath + [key], predicate: "is missing")
        case .valueNotFound(let type, let context):
            self.init(at: context.codingPath, predicate: "is null" + (Self.description(of: type).map { " instead of \($0)" } ?? ""))
        case .typeMismatch(let type, let context):
            self.init(at: context.codingPath, predicate: Self.description(of: type).map { "is not \($0)" } ?? "has an unexpected type")
        case .dataCorrupted(let context):
            let reason = context.debugDescription.hasSuffix(".") ? String(context.debugDescription.dropLast()) : context.debugDescription
            let path = Self.text(of: context.codingPath)
            self.init(path: path, reason: reason, description: path.isEmpty ? reason : "\(path): \(reason)")
        @unknown default: self.init(at: [], predicate: "is invalid")
        }
    }

    private init(at path: [any CodingKey], predicate: String) {
        let path = Self.text(of: path)
        self.init(path: path, reason: predicate, description: "\(path.isEmpty ? "the document" : path) \(predicate)")
    }

    private init(path: String, reason: String, description: String) {
        self.path = path
        self.reason = reason
        self.description = description
    }

    private static func text(of path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }

    /// Returns the description of a value of a type, such as `a string`; nil for types that a document does not distinguish.
    private static func description(of type: any Any.Type) -> String? {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any Numeric.Type: "a number"
        case is Date.Type: "a date"
        case is URL.Type: "a URL"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "a list"
        default: nil
        }
    }
}
