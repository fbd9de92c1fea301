import CZlib
package import NIOCore

/// A streaming gzip encoder (RFC 1952).
///
/// Its memory is bounded by that of its effort plus `outputSize` per call of the output closure.
package final class GzipEncoder {
    /// The compression level and memory use.
    package struct Effort: Sendable {
        fileprivate let level: Int32
        /// The base-2 logarithm of the window size.
        fileprivate let windowBits: Int32
        fileprivate let memoryLevel: Int32

        /// The effort for content that is compressed for one response: 64 KB, 9 µs for 1 KB of XML and 90 µs for a page of 20 KB.
        ///
        /// With zlib's default of 256 KB these take 61 and 154 µs, mostly for memory allocation, with no smaller output.
        package static let quick = Effort(level: 5, windowBits: 13, memoryLevel: 6)
        /// The effort for files that are compressed once and stored.
        package static let best = Effort(level: 9, windowBits: 15, memoryLevel: 9)
    }

    /// The maximum number of bytes per output buffer.
    package static let outputSize = 16_384
    /// The offset of `windowBits` that selects the gzip format; negative `windowBits` select raw deflate.
    private static let gzipFormat: Int32 = 16

    // zlib stores the address of the stream that it was initialized with.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    package convenience init(_ effort: Effort = .quick) {
        self.init(effort, windowBits: effort.windowBits + Self.gzipFormat)
    }

    private init(_ effort: Effort, windowBits: Int32) {
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, effort.level, Z_DEFLATED, windowBits, effort.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib is out of memory or incompatible with its header")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Returns the compressed content.
    package static func compress(_ content: ByteBuffer, _ effort: Effort = .quick) -> ByteBuffer {
        let encoder = GzipEncoder(effort)
        var output = ByteBuffer()
        encoder.compress(content) { output.writeImmutableBuffer($0) }
        encoder.finish { output.writeImmutableBuffer($0) }
        return output
    }

    /// Returns the content as deflate blocks that refer to no earlier data and end on a byte boundary (`Z_FULL_FLUSH`).
    static func standaloneBlock(of content: ByteBuffer) -> ByteBuffer {
        let encoder = GzipEncoder(.quick, windowBits: -Effort.quick.windowBits)
        var output = ByteBuffer()
        encoder.compress(content) { output.writeImmutableBuffer($0) }
        encoder.flush(Z_FULL_FLUSH) { output.writeImmutableBuffer($0) }
        return output
    }

    /// Compresses a part of the content. Output that zlib buffers is delivered by a later call or by `finish`.
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

    /// Ends the content. The encoder must not be used afterwards.
    package func finish(_ receive: (ByteBuffer) throws -> Void) rethrows {
        try flush(Z_FINISH, receive)
    }

    private func flush(_ flush: Int32, _ receive: (ByteBuffer) throws -> Void) rethrows {
        stream.pointee.avail_in = 0
        repeat { try receive(step(flush)) } while stream.pointee.avail_out == 0
    }

    private func step(_ flush: Int32) -> ByteBuffer {
        var output = ByteBuffer()
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.outputSize) { buffer in
            stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(buffer.count)
            deflate(stream, flush)
            return buffer.count - Int(stream.pointee.avail_out)
        }
        return output
    }
}
