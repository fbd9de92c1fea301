import HTTPTypes
import Hummingbird
import NIOCore

/// A body writer that compresses its input for another writer.
struct GzipBodyWriter: ResponseBodyWriter {
    /// The maximum number of bytes that are compressed without suspension.
    private static let chunkSize = 65_536

    private var writer: any ResponseBodyWriter
    private let encoder = GzipEncoder()

    init(to writer: consuming any ResponseBodyWriter) {
        self.writer = writer
    }

    /// Compresses in chunks, which bounds memory and lets other tasks run in between.
    @concurrent
    mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let step = rest.readSlice(length: min(rest.readableBytes, Self.chunkSize)), step.readableBytes > 0 {
            var output = ByteBuffer()
            encoder.compress(step) { output.writeImmutableBuffer($0) }
            if output.readableBytes > 0 { try await writer.write(output) }
        }
    }

    @concurrent
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        var output = ByteBuffer()
        encoder.finish { output.writeImmutableBuffer($0) }
        try await writer.write(output)
        try await writer.finish(trailingHeaders)
    }
}

/// A body writer that collects content in memory.
// Proof: one task writes, and reads the bytes after its last write.
final class CompressedContent: ResponseBodyWriter, @unchecked Sendable {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
