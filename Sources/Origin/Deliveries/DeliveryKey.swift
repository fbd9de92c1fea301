/// The id of a delivery in the later version of the service: 24 hexadecimal digits, of which the last six are its place.
///
/// The others are drawn, so that a key cannot be made up from the one before.
struct DeliveryKey: Hashable, Sendable {
    /// The places that six digits can tell.
    static let indices = 0..<0x100_0000

    private static let (length, indexLength) = (24, 6)

    let text: String

    /// - Parameter drawn: Of which 60 and 12 bits are used.
    init(index: Int, random: (UInt64, UInt64)) {
        precondition(Self.indices.contains(index), "A key has room for six digits.")
        text = Self.hexDigits(random.0 >> 4, 15) + Self.hexDigits(random.1 >> 52, 3) + Self.hexDigits(UInt64(index), Self.indexLength)
    }

    /// Nil for what no key looks like.
    init?(_ text: some StringProtocol) {
        let isKey = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == Self.length, isKey else { return nil }
        self.text = String(text)
    }

    /// Where in the list the delivery is.
    var index: Int { Int(text.suffix(Self.indexLength), radix: 16) ?? 0 }

    private static func hexDigits(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: count - digits.utf8.count) + digits
    }
}
