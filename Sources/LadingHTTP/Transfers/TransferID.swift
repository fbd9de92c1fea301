/// The name of a transfer: short enough to be typed, and the same after a restart.
public struct TransferID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// Letters and digits that are not taken for one another: 32, five bits each.
    private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
    private static let length = 8

    public let rawValue: String

    /// Nil unless the text could be an id: it becomes part of a file's name.
    public init?(rawValue: String) {
        guard rawValue.count == Self.length, rawValue.allSatisfy(Self.alphabet.contains) else { return nil }
        self.rawValue = rawValue
    }

    /// A new one.
    public init(using random: inout some RandomNumberGenerator) {
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
