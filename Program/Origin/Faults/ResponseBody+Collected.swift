import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

extension ResponseBody {
    /// Returns all bytes of a body.
    func collected() async throws -> ByteBuffer {
        let buffer = CollectedBytes()
        try await write(CollectingWriter(bytes: buffer))
        return buffer.bytes.withLock { $0 }
    }
}

private final class CollectedBytes: Sendable {
    let bytes = Mutex(ByteBuffer())
}

private struct CollectingWriter: ResponseBodyWriter {
    let bytes: CollectedBytes

    func write(_ buffer: ByteBuffer) async throws {
        bytes.bytes.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
