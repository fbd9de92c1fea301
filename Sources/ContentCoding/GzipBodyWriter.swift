import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses what is written, and hands it on.
struct GzipBodyWriter: ResponseBodyWriter {
    /// The most bytes that are compressed without a pause.
    private static let chunkSize = 65_536

    private var writer: any ResponseBodyWriter
    private let encoder = GzipEncoder()

    init(to writer: consuming any ResponseBodyWriter) {
        self.writer = writer
    }

    /// Compresses in steps, so that no more than a step is held twice and other tasks have their turn.
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

/// A content that is collected in memory.
// Proof: one task writes, and reads the bytes when it has written the last of them.
final class CompressedContent: ResponseBodyWriter, @unchecked Sendable {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
