import CZlib
import Foundation

/// A decoder of gzip data in chunks, with one or several members (RFC 1952).
final class GzipDecoder {
    struct CorruptError: Error {}

    /// The number of decompressed bytes per step.
    private static let outputSize = 262_144
    /// The largest window, with a gzip header.
    private static let windowBits: Int32 = 15 + 16

    // zlib stores the address of the stream.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var output = [UInt8](repeating: 0, count: outputSize)
    /// Whether the data so far ends with a complete member.
    private(set) var isAtEnd = false

    init() {
        stream.initialize(to: z_stream())
        let status = inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib is out of memory or incompatible with its header")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Returns whether data with this beginning is compressed with gzip.
    static func isGzip(_ data: Data) -> Bool { data.starts(with: [0x1F, 0x8B]) }

    /// Inflates a chunk, and calls a closure with each part of the output.
    func inflate(_ chunk: Data, _ body: (Data) throws -> Void) throws {
        var input = [UInt8](chunk)
        try input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            while hasPendingInput() { try body(inflateChunk()) }
        }
    }

    /// Returns whether input or output of a chunk is pending. Zero padding after a member is skipped, as by gzip itself.
    private func hasPendingInput() -> Bool {
        while isAtEnd, stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
            stream.pointee.next_in = stream.pointee.next_in.advanced(by: 1)
            stream.pointee.avail_in -= 1
        }
        return stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 && !isAtEnd
    }

    private func inflateChunk() throws -> Data {
        if isAtEnd {
            // Another member follows.
            guard inflateReset(stream) == Z_OK else { throw CorruptError() }
            isAtEnd = false
        }
        let status = output.withUnsafeMutableBufferPointer { output in
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(output.count)
            return CZlib.inflate(stream, Z_NO_FLUSH)
        }
        // Z_BUF_ERROR: more input is needed.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw CorruptError() }
        isAtEnd = status == Z_STREAM_END
        return Data(output.prefix(output.count - Int(stream.pointee.avail_out)))
    }
}
