import FileChecksums

/// The blocks by which a body is read and checked; the last one may be shorter.
enum BodyBlocks {
    /// The length of a block in bytes.
    static let size = 64 << 10

    static func count(of length: Int) -> Int { (length + size - 1) / size }

    /// Returns the checksums of the blocks of bytes that start at a block boundary.
    static func checksums(of bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count, by: size).map { Checksum.of(bytes[$0..<min($0 + size, bytes.count)]) }
    }
}
