/// The 64-bit checksum XXH64 (Y. Collet, xxHash specification 0.1.1), which processes several bytes per instruction.
///
/// It detects damage, but no manipulation.
package enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    package static func of(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
        bytes.withContiguousStorageIfAvailable { of(UnsafeRawBufferPointer($0), seed: seed) } ?? of(Array(bytes), seed: seed)
    }

    private static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var offset = 0
        var sum = seed &+ prime5
        if bytes.count >= 32 { (sum, offset) = stripes(of: bytes, seed: seed) }
        sum &+= UInt64(bytes.count)
        while offset + 8 <= bytes.count {
            sum = rotatedLeft(sum ^ round(0, bytes.word(at: offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset + 4 <= bytes.count {
            let half = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            sum = rotatedLeft(sum ^ half &* prime1, 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            sum = rotatedLeft(sum ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
            offset += 1
        }
        return finalMix(sum)
    }

    /// Returns the sum of all whole stripes of 32 bytes, and the offset of their end.
    private static func stripes(of bytes: UnsafeRawBufferPointer, seed: UInt64) -> (sum: UInt64, end: Int) {
        var (a, b, c, d) = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
        var offset = 0
        while offset + 32 <= bytes.count {
            a = round(a, bytes.word(at: offset))
            b = round(b, bytes.word(at: offset + 8))
            c = round(c, bytes.word(at: offset + 16))
            d = round(d, bytes.word(at: offset + 24))
            offset += 32
        }
        var sum = rotatedLeft(a, 1) &+ rotatedLeft(b, 7) &+ rotatedLeft(c, 12) &+ rotatedLeft(d, 18)
        sum = merged(merged(merged(merged(sum, a), b), c), d)
        return (sum, offset)
    }

    private static func round(_ sum: UInt64, _ word: UInt64) -> UInt64 { rotatedLeft(sum &+ word &* prime2, 31) &* prime1 }

    private static func merged(_ sum: UInt64, _ lane: UInt64) -> UInt64 { (sum ^ round(0, lane)) &* prime1 &+ prime4 }

    private static func rotatedLeft(_ number: UInt64, _ count: UInt64) -> UInt64 { number << count | number >> (64 - count) }

    private static func finalMix(_ sum: UInt64) -> UInt64 {
        var sum = sum
        sum = (sum ^ (sum >> 33)) &* prime2
        sum = (sum ^ (sum >> 29)) &* prime3
        return sum ^ (sum >> 32)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func word(at offset: Int) -> UInt64 { UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
}
