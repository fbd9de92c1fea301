import FileChecksums
import LadingCaching

/// A body is read and checked block by block; the last block may be shorter.
enum BodyBlocks {
    /// The length of a block in bytes.
    static let size = 64 << 10

    static func count(of length: Int) -> Int { (length + size - 1) / size }

    /// The checksums of the blocks of bytes that begin with one.
    static func checksums(of bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count, by: size).map { Checksum.of(bytes[$0..<min($0 + size, bytes.count)]) }
    }
}
