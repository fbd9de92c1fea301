/// A value in the body of a command.
enum JSONValue: Encodable {
    case text(String)
    case texts([String])
    case number(Double)
    case object([String: JSONValue])
    case objects([[String: JSONValue]])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .texts(let texts): try container.encode(texts)
        case .number(let number): try container.encode(number)
        case .object(let fields): try container.encode(fields)
        case .objects(let objects): try container.encode(objects)
        }
    }
}
