import CZlib
package import NIOCore
import Synchronization

/// A cache of compressed pieces of streams that send the same to many clients.
///
/// A stream is gzip without an end: `header`, then pieces. A piece refers to nothing before it (`Z_FULL_FLUSH`), so pieces can follow each other
/// in any order, and each can be decoded as soon as it has come. A stream needs no compressor, and no memory, of its own.
///
/// Streams that ask for the same piece at the same time, before it is in the cache, compress it each for itself.
package final class GzipBlockCache: Sendable {
    /// The most bytes of the pieces that are remembered, plain and compressed.
    private static let sizeLimit = 4 << 20
    /// The least number of bytes of a piece that is compressed.
    private static let minimumLength = 256
    /// The longest stored block (RFC 1951 §3.2.4).
    private static let storedBlockLimit = 65_535

    /// The header of a stream: deflate, no name, no time, on Unix (RFC 1952 §2.3).
    package static let header = ByteBuffer(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])

    /// The pieces that were used since the last clearing, and those before; those are forgotten with the next.
    struct Generations {
        private var current: [ByteBuffer: ByteBuffer] = [:]
        private var previous: [ByteBuffer: ByteBuffer] = [:]
        private(set) var currentSize = 0

        mutating func block(for content: ByteBuffer) -> ByteBuffer? {
            if let piece = current[content] { return piece }
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

    /// Returns a piece that stands for this content in any stream.
    package func block(for content: ByteBuffer) -> ByteBuffer {
        if content.readableBytes < Self.minimumLength { return Self.stored(content) }
        if let piece = generations.withLock({ $0.block(for: content) }) { return piece }
        let piece = GzipEncoder.independentBlock(of: content)
        generations.withLock { $0.store(piece, for: content) }
        return piece
    }

    /// Returns a piece that holds the content as it is: for what differs from stream to stream.
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
