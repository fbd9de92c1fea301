import LadingCaching
import LadingHTTP
import Synchronization

/// Takes a body for a store on disk.
final class SQLiteBlobWriter: BlobWriter {
    private let key: BlobKey
    private let shelf: BlobShelf
    private let threads: FileThread
    /// nil while something is done with it, and when the writer has ended.
    private let draft: Mutex<BlobDraft?>

    init(_ key: BlobKey, note: [UInt8], to shelf: BlobShelf, on threads: FileThread) {
        (self.key, self.shelf, self.threads) = (key, shelf, threads)
        draft = Mutex(BlobDraft(key, note: note))
    }

    func append(_ bytes: [UInt8]) async throws {
        var draft = try take()
        draft.add(bytes)
        try check(draft)
        if draft.isDue { draft = try await threads.run { [shelf, draft] in try shelf.write(draft) } }
        self.draft.withLock { [draft] in $0 = draft }
    }

    func finish(note: [UInt8]?) async throws -> Blob {
        var draft = try take()
        if let note { draft.note = note }
        try check(draft)
        return try await threads.run { [shelf, draft] in try shelf.keep(draft) }
    }

    func abandon() async {
        draft.withLock { $0 = nil }
    }

    private func take() throws(BlobStoreError) -> BlobDraft {
        guard
            let taken = draft.withLock({ draft in
                defer { draft = nil }
                return draft
            })
        else { throw .ended(key) }
        return taken
    }

    private func check(_ draft: BlobDraft) throws(BlobStoreError) {
        guard draft.cost <= shelf.bodyLimit else { throw .tooLong(key, limit: shelf.bodyLimit) }
    }
}
