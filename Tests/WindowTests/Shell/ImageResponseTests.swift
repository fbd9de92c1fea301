import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import Window

/// Images in responses.
@Suite struct ImageResponseTests {
    @Test func `Responses share the bytes of an image`() async throws {
        let image = ImageLoader.LoadedImage(mediaType: "image/png", bytes: Array(repeating: 7, count: 1_000))

        let first = try await body(of: .image(image, cacheControl: "no-store"))
        let second = try await body(of: .image(image, cacheControl: "private, max-age=86400"))

        #expect(first.readableBytes == 1_000 && address(of: first) == address(of: second))
    }

    private func body(of response: Response) async throws -> ByteBuffer {
        let writer = BufferRecorder()
        try await response.body.write(writer)
        return writer.buffer.withLock { $0 }
    }

    private func address(of buffer: ByteBuffer) -> UInt { buffer.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) } }
}

/// A writer that records the last buffer, without copying its bytes.
private final class BufferRecorder: ResponseBodyWriter, Sendable {
    let buffer = Mutex(ByteBuffer())

    func write(_ buffer: ByteBuffer) async throws { self.buffer.withLock { $0 = buffer } }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
