/// A solar day of Mars, counted from the landing of a rover; the day of the landing is 0 or 1.
public struct Sol: Hashable, Sendable, Codable {
    /// The maximum number of a sol, far beyond the life of any rover.
    public static let limit = 100_000
    /// The length of a sol in Earth days.
    static let earthDays = 1.027_491_25

    /// The number, from 0 to `limit`.
    public let number: Int

    /// Returns nil when the number is negative or beyond `limit`.
    public init?(_ number: Int) {
        guard 0...Self.limit ~= number else { return nil }
        self.number = number
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let sol = Sol(try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the number of the sol is out of range")
        }
        self = sol
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    var previous: Sol? { Sol(number - 1) }
    var next: Sol? { Sol(number + 1) }
}

extension Sol: Comparable {
    public static func < (one: Sol, other: Sol) -> Bool { one.number < other.number }
}

extension Sol: LosslessStringConvertible {
    public init?(_ text: String) {
        guard let number = Int(text) else { return nil }
        self.init(number)
    }

    public var description: String { number.description }
}

extension Sol: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int) {
        precondition(0...Self.limit ~= number, "the number of a sol must be from 0 to \(Self.limit)")
        self.number = number
    }
}
