import Synchronization

/// A writer that collects a body in memory and commits it when it is finished.
final class MemoryBlobWriter: BlobWriter {
    private struct State {
        var metadata: [UInt8]
        /// The bytes written so far; nil after the end of the writer.
        var bytes: [UInt8]?
    }

    private let key: BlobKey
    private let limit: Int
    private let state: Mutex<State>
    private let commit: @Sendable (_ metadata: [UInt8], _ bytes: [UInt8]) -> Blob

    /// - Parameter limit: The maximum size of the body with its metadata and key, in bytes.
    init(_ key: BlobKey, metadata: [UInt8], limit: Int, commit: @escaping @Sendable (_ metadata: [UInt8], _ bytes: [UInt8]) -> Blob) {
        (self.key, self.limit, self.commit) = (key, limit, commit)
        state = Mutex(State(metadata: metadata, bytes: []))
    }

    func append(_ bytes: [UInt8]) async throws {
        try state.withLock { state in
            try check(&state, adding: bytes.count)
            state.bytes?.append(contentsOf: bytes)
        }
    }

    func finish(metadata: [UInt8]?) async throws -> Blob {
        let (finalMetadata, bytes) = try state.withLock { state in
            if let metadata { state.metadata = metadata }
            try check(&state, adding: 0)
            defer { state.bytes = nil }
            return (state.metadata, state.bytes ?? [])
        }
        return commit(finalMetadata, bytes)
    }

    func discard() async {
        state.withLock { $0.bytes = nil }
    }

    private func check(_ state: inout State, adding count: Int) throws(BlobStoreError) {
        guard let length = state.bytes?.count else { throw .writerEnded(key) }
        guard length + count + state.metadata.count + key.cost <= limit else {
            state.bytes = nil
            throw .tooLong(key, limit: limit)
        }
    }
}
