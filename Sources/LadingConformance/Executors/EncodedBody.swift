/// Bodies in content codings, encoded without compression.
enum EncodedBody {
    /// Encodes bytes in the gzip format (RFC 1952).
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        gzipHead + stored(bytes) + littleEndian(crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// Encodes bytes in the zlib format, which HTTP calls deflate (RFC 1950, RFC 9110 §8.4.1.2).
    static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        [0x78, 0x01] + stored(bytes) + littleEndian(adler32(bytes).byteSwapped)
    }

    /// The start of an endless gzip stream of zeros.
    static let gzipZerosStart = gzipHead + zeros.prefix(2)

    /// A continuation of `gzipZerosStart`, repeatable any number of times: 13,000 bytes that decode to two million zeros.
    static let gzipZerosPeriod = Array(repeatElement(zeros[2..<15], count: 1_000).joined())

    /// A block with fixed codes (RFC 1951 §3.2.6): one zero, then matches.
    ///
    /// Its bits repeat every 13 bytes from the third byte on.
    private static let zeros: [UInt8] = {
        var bits = BitWriter()
        bits.write(0b0, 1)  // not the last block
        bits.write(0b10, 2)  // fixed codes: 01, lower bit first
        bits.write(0b0011_0000, 8)  // the byte 0
        for _ in 0..<16 {
            bits.write(0b1100_0101, 8)  // a match of length 258
            bits.write(0, 5)  // at distance 1
        }
        return bits.bytes
    }()

    private static let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// Encodes bytes in stored blocks (RFC 1951 §3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result += [rest.isEmpty ? 1 : 0, UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
            result += [UInt8(truncatingIfNeeded: ~length), UInt8(~length >> 8)]
            result += block
        } while !rest.isEmpty
        return result
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        let (a, b) = bytes.reduce((1 as UInt32, 0 as UInt32)) { sums, byte in
            let a = (sums.0 + UInt32(byte)) % 65_521
            return (a, (sums.1 + a) % 65_521)
        }
        return b << 16 | a
    }
}

/// A writer of bits into bytes, least significant bit first (RFC 1951 §3.1.1).
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    /// Writes the lower bits of a code, most significant first.
    mutating func write(_ code: UInt16, _ length: Int) {
        for bit in (0..<length).reversed() {
            if count % 8 == 0 { bytes.append(0) }
            bytes[count / 8] |= UInt8(code >> bit & 1) << UInt8(count % 8)
            count += 1
        }
    }
}
