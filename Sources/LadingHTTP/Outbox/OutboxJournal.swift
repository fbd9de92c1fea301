/// Keeps the entries of an outbox beyond the end of the process.
///
/// - What a call has confirmed is there after the process was killed, and after the power was cut if the journal says so.
/// - Each call is done whole or not at all.
/// - Entries have numbers that grow in the order in which they are added, and are never given twice.
/// - Partitions do not see one another; a key belongs to one write in each.
///
/// `OutboxJournalConformance` in LadingTesting checks this. One program at a time sends from a partition; who that is, is decided outside.
public protocol OutboxJournal: Sendable {
    nonisolated(nonsending) func contents(of partition: String) async throws -> OutboxContents

    /// Adds an entry behind all others, and gives it its position; changes nothing when its key is known.
    nonisolated(nonsending) func add(_ entry: OutboxEntry) async throws -> OutboxInsertResult

    /// Notes the attempts and the last failure of an entry; of one that has ended, nothing.
    nonisolated(nonsending) func update(_ entry: OutboxEntry) async throws

    /// Replaces an entry by its receipt, and forgets the oldest receipts of its partition beyond the limit.
    nonisolated(nonsending) func replaceEntry(with receipt: OutboxReceipt, retaining limit: Int) async throws
}

/// What a journal knows of one partition.
public struct OutboxContents: Hashable, Sendable {
    /// In the order in which they were added.
    public var entries: [OutboxEntry]
    /// In the order in which they ended.
    public var receipts: [OutboxReceipt]

    public init(entries: [OutboxEntry] = [], receipts: [OutboxReceipt] = []) {
        self.entries = entries
        self.receipts = receipts
    }
}

/// What adding an entry to a journal came to.
public enum OutboxInsertResult: Hashable, Sendable {
    /// It is there, with its position.
    case inserted(OutboxEntry)
    /// The key belongs to this entry, which was there before.
    case alreadyPending(OutboxEntry)
    /// The key belongs to an entry that has ended.
    case alreadyEnded(OutboxReceipt)
}
