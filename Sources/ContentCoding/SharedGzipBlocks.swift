import CZlib
package import NIOCore
import Synchronization

/// A cache of compressed pieces of streams that send the same to many clients.
///
/// A stream is gzip without an end: `header`, then pieces. A piece refers to nothing before it (`Z_FULL_FLUSH`), so pieces can follow each other
/// in any order, and each can be decoded as soon as it has come. A stream needs no compressor, and no memory, of its own.
///
/// Streams that ask for the same piece at the same time, before it is in the cache, compress it each for itself.
package final class SharedGzipBlocks: Sendable {
    /// The most bytes of the pieces that are remembered, plain and compressed.
    private static let sizeLimit = 4 << 20
    /// The least number of bytes of a piece that is compressed.
    private static let leastLength = 256
    /// The longest stored block (RFC 1951 §3.2.4).
    private static let storedLimit = 65_535

    /// The header of a stream: deflate, no name, no time, on Unix (RFC 1952 §2.3).
    package static let header = ByteBuffer(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])

    /// The pieces that were used since the last clearing, and those before; those are forgotten with the next.
    struct Pieces {
        private var recent: [ByteBuffer: ByteBuffer] = [:]
        private var earlier: [ByteBuffer: ByteBuffer] = [:]
        private(set) var recentSize = 0

        mutating func find(_ content: ByteBuffer) -> ByteBuffer? {
            if let piece = recent[content] { return piece }
            guard let piece = earlier[content] else { return nil }
            store(piece, for: content)
            return piece
        }

        mutating func store(_ piece: ByteBuffer, for content: ByteBuffer) {
            guard recent[content] == nil else { return }
            let size = content.readableBytes + piece.readableBytes
            if recentSize + size > sizeLimit / 2 { (earlier, recent, recentSize) = (recent, [:], 0) }
            recent[content] = piece
            recentSize += size
        }
    }

    private let pieces = Mutex(Pieces())

    package init() {}

    /// Returns a piece that stands for this content in any stream.
    package func piece(for content: ByteBuffer) -> ByteBuffer {
        if content.readableBytes < Self.leastLength { return Self.stored(content) }
        if let piece = pieces.withLock({ $0.find(content) }) { return piece }
        let piece = GzipEncoder.independentBlock(of: content)
        pieces.withLock { $0.store(piece, for: content) }
        return piece
    }

    /// Returns a piece that holds the content as it is: for what differs from stream to stream.
    package static func stored(_ content: ByteBuffer) -> ByteBuffer {
        var rest = content
        var piece = ByteBuffer()
        while let part = rest.readSlice(length: min(rest.readableBytes, storedLimit)), part.readableBytes > 0 {
            let length = UInt16(part.readableBytes)
            piece.writeInteger(0, as: UInt8.self)
            piece.writeInteger(length, endianness: .little)
            piece.writeInteger(~length, endianness: .little)
            piece.writeImmutableBuffer(part)
        }
        return piece
    }
}
