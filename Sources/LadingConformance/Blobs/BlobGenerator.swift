package import LadingCaching
import LadingTesting

/// Identifiable bodies: each begins with its number and length, followed by bytes derived from both.
package enum BlobGenerator {
    /// Returns the body with a number. Bodies of different lengths are not prefixes of each other.
    package static func body(_ number: Int, count: Int) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(truncatingIfNeeded: number) &* 31 &+ UInt64(count))
        var bytes = head(number, count)
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }

    /// Returns the number of a complete body of at least 16 bytes; nil for any other bytes.
    package static func number(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 16 else { return nil }
        let number = bytes.prefix(8).reduce(0) { $0 << 8 | Int($1) }
        return bytes == body(number, count: bytes.count) ? number : nil
    }

    private static func head(_ number: Int, _ count: Int) -> [UInt8] {
        [number, count].flatMap { value in (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }
}

/// Reproducible sequences of writes: each number determines a key and a body.
extension BlobGenerator {
    /// The size limit of a store for such a sequence, in bytes; less than the size of all keys' blobs.
    package static let byteLimit = 2 << 20
    /// The number of keys.
    package static let keyCount = 40

    /// Returns the key of a write.
    package static func key(of number: Int, seed: UInt64) -> BlobKey {
        var random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number))
        let keyIndex = random.next() % UInt64(keyCount)
        return BlobKey(group: "https://example.org/\(keyIndex % 10)", name: "\(keyIndex)")
    }

    /// Returns the body of a write: short, as long as an image, or long enough for many blocks.
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

    /// Returns the metadata of a write; for some writes a second value that replaces the first.
    package static func metadata(of number: Int) -> [[UInt8]] {
        let metadata = Array("number \(number)".utf8)
        return number % 3 == 0 ? [metadata, metadata + metadata] : [metadata]
    }
}
