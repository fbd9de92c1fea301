/// The identity of a courier or dispatcher.
package struct PersonID: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A number that distinguishes the periods in which different people may change an order.
///
/// It grows with every claim, release, reassignment, correction and accepted report of the order. A command with an older fence is stale.
package struct Fence: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package static let initial = Fence(rawValue: 0)

    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package var next: Fence { Fence(rawValue: rawValue + 1) }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A point in time, in milliseconds since 1 January 1970 UTC.
package struct Timestamp: Codable, Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Returns the time after a duration, rounded down to milliseconds.
    package static func + (time: Self, duration: Duration) -> Self {
        let (seconds, attoseconds) = duration.components
        return Timestamp(milliseconds: time.milliseconds + seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// Decodes a number of milliseconds.
    package init(from decoder: any Decoder) throws { milliseconds = try decoder.singleValueContainer().decode(Int64.self) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

/// The SHA-256 digest of a stored proof of delivery, such as a photo or a signature, as 64 hexadecimal digits.
package struct ProofDigest: RawRepresentable, Codable, Hashable, Sendable {
    package let rawValue: String

    /// Creates a digest; nil unless the text has 64 lowercase hexadecimal digits.
    package init?(rawValue: String) {
        guard rawValue.utf8.count == 64, rawValue.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else { return nil }
        self.rawValue = rawValue
    }
}
