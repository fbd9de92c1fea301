import FileAccess
import LadingCaching
import Synchronization

/// A writer of one body of a `SQLiteBlobStore`.
final class SQLiteBlobWriter: BlobWriter {
    private let key: BlobKey
    private let storage: BlobStorage
    private let threads: FileThreadPool
    /// nil during a call and after the writer has ended.
    private let draft: Mutex<BlobDraft?>

    init(_ key: BlobKey, metadata: [UInt8], to storage: BlobStorage, on threads: FileThreadPool) {
        (self.key, self.storage, self.threads) = (key, storage, threads)
        draft = Mutex(BlobDraft(key, metadata: metadata))
    }

    func append(_ bytes: [UInt8]) async throws {
        var draft = try removeDraft()
        draft.append(bytes)
        try check(draft)
        if draft.needsWrite { draft = try await storage.run(on: threads) { [draft] in try $0.write(draft) } }
        self.draft.withLock { [draft] in $0 = draft }
    }

    func finish(metadata: [UInt8]?) async throws -> Blob {
        var draft = try removeDraft()
        if let metadata { draft.metadata = metadata }
        try check(draft)
        return try await storage.run(on: threads) { [draft] in try $0.commit(draft) }
    }

    func discard() async {
        draft.withLock { $0 = nil }
    }

    private func removeDraft() throws(BlobStoreError) -> BlobDraft {
        guard
            let removed = draft.withLock({ draft in
                defer { draft = nil }
                return draft
            })
        else { throw .writerEnded(key) }
        return removed
    }

    private func check(_ draft: BlobDraft) throws(BlobStoreError) {
        guard draft.cost <= storage.bodyLimit else { throw .tooLong(key, limit: storage.bodyLimit) }
    }
}
