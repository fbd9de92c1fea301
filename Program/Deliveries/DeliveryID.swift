import TextComparison

/// The identity of a delivery, as text: numeric ids are stored in their textual form.
public struct DeliveryID: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whether the bytes are equal, as for the server.
    public static func == (one: DeliveryID, other: DeliveryID) -> Bool { one.rawValue.hasSameBytes(as: other.rawValue) }
}

extension DeliveryID: LosslessStringConvertible {
    public init(_ text: String) { self.init(rawValue: text) }

    public init(_ number: Int) { self.init(rawValue: number.description) }

    public var description: String { rawValue }
}

extension DeliveryID: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral text: String) { self.init(text) }

    public init(integerLiteral number: Int) { self.init(number) }
}
