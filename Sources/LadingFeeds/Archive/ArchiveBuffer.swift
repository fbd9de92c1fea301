import Foundation

/// A pending write of an `ArchiveBuffer`, whose content is encoded when it is written.
struct ArchiveWrite: Sendable {
    /// The maximum number of removals of a write, its own and inherited ones. Beyond it the oldest is dropped, and its values remain until the
    /// archive is trimmed.
    static let removalLimit = 8

    /// Other values that are removed with a write.
    struct Removal: Sendable {
        /// Returns the names of the values.
        let names: @Sendable () -> [String]
        /// Whether a value belongs to the written one, so that no replaced write removes it.
        let retains: @Sendable (String) -> Bool
    }

    let name: String
    /// The date at which the write was requested.
    let date: Date
    /// Returns the new content of the value; nil removes it.
    let content: @Sendable () throws -> Data?
    /// The removal of the write after those of the writes that it has replaced, oldest first.
    private var removals: [Removal]

    init(name: String, date: Date, removal: Removal? = nil, content: @escaping @Sendable () throws -> Data?) {
        (self.name, self.date, self.content) = (name, date, content)
        removals = [removal].compactMap(\.self)
    }

    /// Adds the removals of a write that this one replaces before it was performed.
    mutating func inheritRemovals(of replaced: ArchiveWrite) {
        removals = (replaced.removals + removals).suffix(Self.removalLimit)
    }

    /// Returns the names of the other values to remove.
    func removedNames() -> [String] {
        guard let newest = removals.last else { return [] }
        return removals.flatMap { $0.names() }.filter { !newest.retains($0) }
    }
}

/// The pending writes of an archive, and the batch that is being written. A synchronous value.
///
/// States of a write: pending → in the batch → removed, or → pending again if the batch failed and no newer write has its name.
struct ArchiveBuffer: Sendable {
    /// The maximum number of writes in a batch.
    static let batchLimit = 500

    /// The maximum number of pending writes; beyond it the oldest write is dropped.
    let limit: Int
    /// The names of pending writes, oldest first.
    private var names: [String] = []
    private var pendingWrites: [String: ArchiveWrite] = [:]
    private var batch: [ArchiveWrite] = []

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { pendingWrites.isEmpty }

    /// Adds a write, which replaces a pending one with the same name and inherits its removals.
    mutating func add(_ write: ArchiveWrite) {
        var write = write
        if let replaced = pendingWrites[write.name] { write.inheritRemovals(of: replaced) } else { names.append(write.name) }
        pendingWrites[write.name] = write
        if pendingWrites.count > limit { dropOldest() }
    }

    /// Returns the newest write of a name that is pending or in the batch.
    func write(named name: String) -> ArchiveWrite? {
        pendingWrites[name] ?? batch.last { $0.name == name }
    }

    /// Moves the oldest pending writes into a new batch and returns them.
    mutating func beginBatch() -> [ArchiveWrite] {
        precondition(batch.isEmpty, "another batch is being written")
        batch = names.prefix(Self.batchLimit).compactMap { pendingWrites.removeValue(forKey: $0) }
        names.removeFirst(batch.count)
        return batch
    }

    /// Ends the batch. Writes of a failed batch become pending again, ahead of all others.
    mutating func endBatch(isWritten: Bool) {
        defer { batch = [] }
        guard !isWritten else { return }
        for write in batch { pendingWrites[write.name]?.inheritRemovals(of: write) }
        let failed = batch.filter { pendingWrites[$0.name] == nil }
        for write in failed { pendingWrites[write.name] = write }
        names.insert(contentsOf: failed.map(\.name), at: 0)
        while pendingWrites.count > limit { dropOldest() }
    }

    private mutating func dropOldest() {
        guard !names.isEmpty else { return }
        pendingWrites[names.removeFirst()] = nil
    }
}
