import LadingHTTP

/// The journal of an outbox whose file has no room on the disk: it has no entries and takes none, because nothing is confirmed that is not stored.
struct FullDiskJournal: OutboxJournal {
    func contents(of partition: String) async throws -> OutboxContents { OutboxContents() }

    /// - Throws: `OutboxError.diskFull`.
    func add(_ entry: OutboxEntry) async throws -> OutboxAddition { throw OutboxError.diskFull }

    func note(_ entry: OutboxEntry) async throws {}

    func end(_ receipt: OutboxReceipt, keeping limit: Int) async throws {}
}
