/// A persistent store of the entries of an outbox.
///
/// - A confirmed call survives the end of the process, and a power failure if the journal guarantees it.
/// - Each call is atomic.
/// - Positions increase in the order of insertion and are never reused.
/// - Partitions are isolated from one another; within one, a key belongs to a single write.
/// - A call that cannot be confirmed throws the error of its storage.
///
/// `OutboxJournalConformance` in LadingConformance checks this. A partition has one `Outbox` at a time; the journal does not enforce that.
public protocol OutboxJournal: Sendable {
    /// Returns the pending entries and the receipts of a partition; empty for an unknown one.
    nonisolated(nonsending) func contents(of partition: String) async throws -> OutboxContents

    /// Appends an entry and assigns its position; changes nothing when its key is known.
    ///
    /// - Throws: `OutboxError.diskFull` when there is no room for the entry, which is then not added.
    nonisolated(nonsending) func add(_ entry: OutboxEntry) async throws -> OutboxInsertResult

    /// Updates the attempts and the last failure of an entry; does nothing when it has ended.
    nonisolated(nonsending) func update(_ entry: OutboxEntry) async throws

    /// Replaces an entry with its receipt, and removes the oldest receipts of its partition beyond the limit.
    nonisolated(nonsending) func replaceEntry(with receipt: OutboxReceipt, retaining limit: Int) async throws
}

/// The contents of one partition of a journal.
public struct OutboxContents: Hashable, Sendable {
    /// The pending entries in the order of insertion.
    public var entries: [OutboxEntry]
    /// The receipts in the order in which their entries ended.
    public var receipts: [OutboxReceipt]

    public init(entries: [OutboxEntry] = [], receipts: [OutboxReceipt] = []) {
        self.entries = entries
        self.receipts = receipts
    }
}

/// The result of adding an entry to a journal.
public enum OutboxInsertResult: Hashable, Sendable {
    /// The entry was added, with its position.
    case inserted(OutboxEntry)
    /// The key belongs to this pending entry.
    case alreadyPending(OutboxEntry)
    /// The key belongs to an entry that has ended.
    case alreadyEnded(OutboxReceipt)
}
