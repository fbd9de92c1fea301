import LadingOutbox

/// The journal of an outbox on a full disk: it is empty and rejects entries, because only stored writes are confirmed.
struct FullDiskJournal: OutboxJournal {
    func contents(of partition: String) async throws -> OutboxContents { OutboxContents() }

    /// Rejects the entry.
    ///
    /// - Throws: `OutboxError.diskFull`.
    func add(_ entry: OutboxEntry) async throws -> OutboxInsertResult { throw OutboxError.diskFull }

    func update(_ entry: OutboxEntry) async throws {}

    func replaceEntry(with receipt: OutboxReceipt, retaining limit: Int) async throws {}
}
