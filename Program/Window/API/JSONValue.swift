/// A value in the body of a command.
enum JSONValue: Encodable {
    case text(String)
    case texts([String])
    case number(Double)
    case integer(Int)
    case object([String: JSONValue])
    case objects([[String: JSONValue]])

    /// Creates a number from a text, or that text if JSON has no such number; the API refuses it by name.
    init(number text: String) {
        // JSON has no infinity and no NaN.
        self = Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(text)
    }

    /// Creates a whole number from a text, or that text if it is none; the API refuses it by name.
    init(integer text: String) {
        self = Int(text).map { .integer($0) } ?? .text(text)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .texts(let texts): try container.encode(texts)
        case .number(let number): try container.encode(number)
        case .integer(let number): try container.encode(number)
        case .object(let fields): try container.encode(fields)
        case .objects(let objects): try container.encode(objects)
        }
    }
}
