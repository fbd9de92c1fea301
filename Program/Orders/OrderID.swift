/// The identity of an order: a whole number, or the text that a list has in its place.
///
/// Numbers sort before texts. `OrderID("7")` equals `OrderID(7)`; `OrderID("07")` is a text, because it is not the canonical form of 7.
public struct OrderID: Hashable, Sendable {
    private enum Form: Hashable, Comparable {
        case number(Int)
        case text(String)
    }

    private let form: Form

    public init(_ number: Int) {
        form = .number(number)
    }

    /// Creates an identity from a key.
    ///
    /// - Parameter key: The key in the list.
    public init(_ key: String) {
        if let number = Int(key), number.description == key { form = .number(number) } else { form = .text(key) }
    }

    /// The number; nil when the id is a text.
    public var number: Int? {
        if case .number(let number) = form { number } else { nil }
    }
}

extension OrderID: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension OrderID: Comparable {
    public static func < (one: OrderID, other: OrderID) -> Bool { one.form < other.form }
}

extension OrderID: LosslessStringConvertible {
    public var description: String {
        switch form {
        case .number(let number): number.description
        case .text(let text): text
        }
    }
}

extension OrderID: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int) { self.init(number) }
}
