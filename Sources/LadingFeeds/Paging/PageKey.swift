/// Where a page is to be had, in the words of the server. It can be kept beyond the process.
public enum PageKey: Hashable, Sendable, Codable {
    /// So many rows lie before it.
    case offset(Int)
    /// The page with this number.
    case number(Int)
    /// What the server has called it; empty for the first.
    case cursor(String)
    /// Under this address; empty for the first (RFC 8288).
    case link(String)
}

extension PageKey: LosslessStringConvertible {
    public init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let value = String(text[text.index(after: colon)...])
        switch text[..<colon] {
        case "offset": guard let offset = Int(value) else { return nil }; self = .offset(offset)
        case "number": guard let number = Int(value) else { return nil }; self = .number(number)
        case "cursor": self = .cursor(value)
        case "link": self = .link(value)
        default: return nil
        }
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
