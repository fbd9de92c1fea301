/// The id of a transfer, short enough to type and stable across restarts.
public struct TransferID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The letters and digits that are not easily confused: 32, five bits each.
    private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
    private static let length = 8

    public let rawValue: String

    /// Creates an id from its text; nil unless it consists of eight characters of the alphabet.
    ///
    /// The id is part of file names, so that other texts, such as paths, are refused.
    public init?(rawValue: String) {
        guard rawValue.count == Self.length, rawValue.allSatisfy(Self.alphabet.contains) else { return nil }
        self.rawValue = rawValue
    }

    /// Returns a new random id, for the record of a transfer that another process runs.
    public static func unique() -> TransferID {
        var random = SystemRandomNumberGenerator()
        return TransferID(using: &random)
    }

    /// Creates an id from 40 random bits, five for each character.
    package init(using random: inout some RandomNumberGenerator) {
        var bits = random.next()
        var text = ""
        for _ in 0..<Self.length {
            text.append(Self.alphabet[Int(bits & 31)])
            bits >>= 5
        }
        rawValue = text
    }

    public var description: String { rawValue }
}
