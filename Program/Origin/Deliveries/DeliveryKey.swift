/// The id of a delivery in version 2 of the service: 24 hexadecimal digits, of which the last six are its index.
///
/// The others are random, so that a key cannot be derived from its predecessor.
struct DeliveryKey: Hashable, Sendable {
    /// The indices that fit into six digits.
    static let indices = 0..<0x100_0000

    private static let (length, indexLength) = (24, 6)

    let text: String

    /// Creates the key of an index.
    ///
    /// - Parameter random: Random numbers, of which 60 and 12 bits are used.
    init(index: Int, random: (UInt64, UInt64)) {
        precondition(Self.indices.contains(index), "An index has at most six digits.")
        text = Self.hexDigits(random.0 >> 4, 15) + Self.hexDigits(random.1 >> 52, 3) + Self.hexDigits(UInt64(index), Self.indexLength)
    }

    /// Parses a key; nil when the text is not 24 lowercase hexadecimal digits.
    init?(_ text: some StringProtocol) {
        let isKey = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == Self.length, isKey else { return nil }
        self.text = String(text)
    }

    /// The index of the delivery in the list.
    var index: Int { Int(text.suffix(Self.indexLength), radix: 16) ?? 0 }

    private static func hexDigits(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: count - digits.utf8.count) + digits
    }
}
