/// A decoding error with the path and the reason of the failure.
public struct ResponseDecodingError: Error {
    /// The path in the document, such as `orders[3].price`; empty for the whole document.
    public let path: String
    /// The reason of the failure at the path.
    public let reason: String
    /// The error of the decoder.
    public let cause: DecodingError

    package init(_ error: DecodingError) {
        cause = error
        switch error {
        case .keyNotFound(let key, let context):
            path = Self.text(of: context.codingPath + [key])
            reason = "is missing"
        case .valueNotFound(let type, let context):
            path = Self.text(of: context.codingPath)
            reason = "is null, expected \(type)"
        case .typeMismatch(let type, let context):
            path = Self.text(of: context.codingPath)
            reason = "is not of type \(type)"
        case .dataCorrupted(let context):
            path = Self.text(of: context.codingPath)
            reason = context.debugDescription
        @unknown default:
            path = ""
            reason = "\(error)"
        }
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
}

extension ResponseDecodingError: CustomStringConvertible {
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
