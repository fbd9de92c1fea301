import CZlib
package import NIOCore
import Synchronization

/// A cache of compressed blocks for streams that send the same content to many clients.
///
/// A stream is gzip without an end: `header`, then blocks. A block refers to no earlier data (`Z_FULL_FLUSH`), so blocks can be concatenated in any
/// order, and each can be decoded on arrival. A stream needs neither a compressor nor memory of its own.
///
/// Concurrent requests for the same uncached block each compress it.
package final class GzipBlockCache: Sendable {
    /// The maximum total size of cached content and blocks in bytes.
    private static let sizeLimit = 4 << 20
    /// The minimum length of compressed content in bytes.
    private static let minimumLength = 256
    /// The maximum length of a stored block (RFC 1951 §3.2.4).
    private static let storedBlockLimit = 65_535

    /// The header of a stream: deflate, no name, no time, on Unix (RFC 1952 §2.3).
    package static let header = ByteBuffer(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])

    /// Two generations of blocks: those used since the last rotation, and those before, which the next rotation discards.
    struct Generations {
        private var current: [ByteBuffer: ByteBuffer] = [:]
        private var previous: [ByteBuffer: ByteBuffer] = [:]
        private(set) var currentSize = 0

        mutating func block(for content: ByteBuffer) -> ByteBuffer? {
            if let block = current[content] { return block }
            guard let piece = previous[content] else { return nil }
            store(piece, for: content)
            return piece
        }

        mutating func store(_ piece: ByteBuffer, for content: ByteBuffer) {
            guard current[content] == nil else { return }
            let size = content.readableBytes + piece.readableBytes
            if currentSize + size > sizeLimit / 2 { (previous, current, currentSize) = (current, [:], 0) }
            current[content] = piece
            currentSize += size
        }
    }

    private let generations = Mutex(Generations())

    package init() {}

    /// Returns a block of this content for any stream.
    package func block(for content: ByteBuffer) -> ByteBuffer {
        if content.readableBytes < Self.minimumLength { return Self.stored(content) }
        if let piece = generations.withLock({ $0.block(for: content) }) { return piece }
        let piece = GzipEncoder.standaloneBlock(of: content)
        generations.withLock { $0.store(piece, for: content) }
        return piece
    }

    /// Returns a stored block of the content, for content that differs between streams.
    package static func stored(_ content: ByteBuffer) -> ByteBuffer {
        var rest = content
        var piece = ByteBuffer()
        while let part = rest.readSlice(length: min(rest.readableBytes, storedBlockLimit)), part.readableBytes > 0 {
            let length = UInt16(part.readableBytes)
            piece.writeInteger(0, as: UInt8.self)
            piece.writeInteger(length, endianness: .little)
            piece.writeInteger(~length, endianness: .little)
            piece.writeImmutableBuffer(part)
        }
        return piece
    }
}
