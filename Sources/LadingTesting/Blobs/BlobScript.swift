/// Bodies that can be told by looking at them: they begin with their number and length, and each goes on in its own way.
package enum BlobScript {
    /// A body of a number; the first bytes of a longer one are not those of a shorter one.
    package static func body(_ number: Int, count: Int) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(truncatingIfNeeded: number) &* 31 &+ UInt64(count))
        var bytes = head(number, count)
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }

    /// Whether bytes are the whole body of some number, of at least 16 bytes; which one.
    package static func number(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 16 else { return nil }
        let number = bytes.prefix(8).reduce(0) { $0 << 8 | Int($1) }
        return bytes == body(number, count: bytes.count) ? number : nil
    }

    private static func head(_ number: Int, _ count: Int) -> [UInt8] {
        [number, count].flatMap { value in (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }
}
