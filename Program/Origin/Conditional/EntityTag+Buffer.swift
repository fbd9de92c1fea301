import HTTPFieldValues
import NIOCore

extension EntityTag {
    /// Creates a strong tag from the bytes of a representation.
    init(of buffer: ByteBuffer) {
        self = buffer.withUnsafeReadableBytes { EntityTag(ofBytes: $0) }
    }
}
