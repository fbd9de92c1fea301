import LadingHTTP

/// The journal of an outbox whose file has no room on the disk: it has no entries and takes none, because nothing is confirmed that is not stored.
struct FullDiskJournal: OutboxJournal {
    func contents(of partition: String) async throws -> OutboxContents { OutboxContents() }

    /// - Throws: `OutboxError.diskFull`.
    func add(_ entry: OutboxEntry) async throws -> OutboxInsertResult { throw OutboxError.diskFull }

    func update(_ entry: OutboxEntry) async throws {}

    func replaceEntry(with receipt: OutboxReceipt, retaining limit: Int) async throws {}
}
