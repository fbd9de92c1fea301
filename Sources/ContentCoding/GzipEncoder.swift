import CZlib
package import NIOCore

/// Compresses one content that comes in pieces to gzip (RFC 1952).
///
/// Its memory is bounded: that of its effort, and `outputSize` for each call of its closure.
package final class GzipEncoder {
    /// The effort of a compression, in time and memory.
    package struct Effort: Sendable {
        fileprivate let level: Int32
        /// The logarithm of the window's size, as zlib takes it.
        fileprivate let windowBits: Int32
        fileprivate let memoryLevel: Int32

        /// For content that is compressed for one response: 64 KB, 9 µs for 1 KB of XML and 90 µs for a page of 20 KB.
        ///
        /// With zlib's usual 256 KB these take 61 and 154 µs, most of it for memory that is fetched from the system, and become no shorter.
        package static let quick = Effort(level: 5, windowBits: 13, memoryLevel: 6)
        /// For files that are compressed once and kept.
        package static let best = Effort(level: 9, windowBits: 15, memoryLevel: 9)
    }

    /// The most bytes that are handed over at once.
    package static let outputSize = 16_384
    /// Added to the window's size, it asks for the header and the trailer of gzip; a negative size asks for neither.
    private static let gzipFormat: Int32 = 16

    // zlib keeps the address of the stream that it was set up with.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    package convenience init(_ effort: Effort = .quick) {
        self.init(effort, windowBits: effort.windowBits + Self.gzipFormat)
    }

    private init(_ effort: Effort, windowBits: Int32) {
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, effort.level, Z_DEFLATED, windowBits, effort.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib has no memory, or is of another version than its header")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Returns the compressed form of a whole content.
    package static func compress(_ content: ByteBuffer, _ effort: Effort = .quick) -> ByteBuffer {
        let encoder = GzipEncoder(effort)
        var output = ByteBuffer()
        encoder.compress(content) { output.writeImmutableBuffer($0) }
        encoder.finish { output.writeImmutableBuffer($0) }
        return output
    }

    /// Returns the content as deflate blocks that refer to nothing before them and end with a whole byte (`Z_FULL_FLUSH`).
    static func independentBlock(of content: ByteBuffer) -> ByteBuffer {
        let encoder = GzipEncoder(.quick, windowBits: -Effort.quick.windowBits)
        var output = ByteBuffer()
        encoder.compress(content) { output.writeImmutableBuffer($0) }
        encoder.flush(Z_FULL_FLUSH) { output.writeImmutableBuffer($0) }
        return output
    }

    /// Compresses a piece. What zlib holds back comes with a later piece or with the end.
    package func compress(_ piece: ByteBuffer, _ receive: (ByteBuffer) throws -> Void) rethrows {
        try piece.withUnsafeReadableBytes { bytes in
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            // zlib does not write through this pointer (zlib.h, z_const).
            stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
            stream.pointee.avail_in = UInt32(bytes.count)
            while stream.pointee.avail_in > 0 {
                let output = step(Z_NO_FLUSH)
                if output.readableBytes > 0 { try receive(output) }
            }
        }
    }

    /// Ends the content; the encoder must not be used any more.
    package func finish(_ receive: (ByteBuffer) throws -> Void) rethrows {
        try flush(Z_FINISH, receive)
    }

    private func flush(_ flush: Int32, _ receive: (ByteBuffer) throws -> Void) rethrows {
        stream.pointee.avail_in = 0
        repeat { try receive(step(flush)) } while stream.pointee.avail_out == 0
    }

    private func step(_ flush: Int32) -> ByteBuffer {
        var output = ByteBuffer()
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.outputSize) { room in
            stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(room.count)
            deflate(stream, flush)
            return room.count - Int(stream.pointee.avail_out)
        }
        return output
    }
}
