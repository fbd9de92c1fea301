import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

extension ResponseBody {
    /// All bytes of a body, gathered in memory.
    func collected() async throws -> ByteBuffer {
        let gathered = GatheredBytes()
        try await write(GatheringWriter(bytes: gathered))
        return gathered.bytes.withLock { $0 }
    }
}

private final class GatheredBytes: Sendable {
    let bytes = Mutex(ByteBuffer())
}

private struct GatheringWriter: ResponseBodyWriter {
    let bytes: GatheredBytes

    func write(_ buffer: ByteBuffer) async throws {
        bytes.bytes.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
