/// The key of a page in the terms of its server. It can be stored.
public enum PageKey: Hashable, Sendable, Codable {
    /// The number of rows before the page.
    case offset(Int)
    /// The number of the page.
    case number(Int)
    /// The server's cursor of the page; empty for the first page.
    case cursor(String)
    /// The URL of the page; empty for the first page (RFC 8288).
    case link(String)
}

extension PageKey: LosslessStringConvertible {
    /// The maximum number of a parsed key, so that the place of a page cannot overflow.
    static let numberLimit = 1 << 40

    /// Creates a key from its description; nil for another text, and for an offset or a number beyond ±2⁴⁰.
    public init?(_ text: String) {
        // By bytes: an accent at the beginning of a cursor makes the colon before it another character.
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = String(Substring(text.utf8[colon...].dropFirst()))
        switch text[..<colon] {
        case "offset": guard let offset = Self.number(value) else { return nil }; self = .offset(offset)
        case "number": guard let number = Self.number(value) else { return nil }; self = .number(number)
        case "cursor": self = .cursor(value)
        case "link": self = .link(value)
        default: return nil
        }
    }

    private static func number(_ text: String) -> Int? {
        Int(text).flatMap { (-numberLimit...numberLimit).contains($0) ? $0 : nil }
    }

    public var description: String {
        switch self {
        case .offset(let offset): "offset:\(offset)"
        case .number(let number): "number:\(number)"
        case .cursor(let cursor): "cursor:\(cursor)"
        case .link(let link): "link:\(link)"
        }
    }
}
