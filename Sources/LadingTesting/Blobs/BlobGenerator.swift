package import LadingCaching

/// Bodies that can be told by looking at them: they begin with their number and length, and each goes on in its own way.
package enum BlobGenerator {
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

/// A run of writes that is the same every time: which body is written when, and under which key.
extension BlobGenerator {
    /// The bound of a store that such a run is played on, in bytes: less than all keys take.
    package static let byteLimit = 2 << 20
    /// How many keys there are.
    package static let keyCount = 40

    /// The key of a write.
    package static func key(of number: Int, seed: UInt64) -> BlobKey {
        var random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number))
        let keyIndex = random.next() % UInt64(keyCount)
        return BlobKey(group: "https://example.org/\(keyIndex % 10)", name: "\(keyIndex)")
    }

    /// The body of a write: short, as long as a picture, or so long that it comes in many blocks.
    package static func body(of number: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed &* 7_777_777 &+ UInt64(number))
        let limit: UInt64 =
            switch random.next() % 8 {
            case 0...2: 16_000
            case 3...6: 150_000
            default: 450_000
            }
        return body(number, count: 16 + Int(random.next() % limit))
    }

    /// The note of a write; of some it is replaced afterwards.
    package static func metadata(of number: Int) -> [[UInt8]] {
        let metadata = Array("number \(number)".utf8)
        return number % 3 == 0 ? [metadata, metadata + metadata] : [metadata]
    }
}
