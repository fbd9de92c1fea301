import Foundation

/// A pending write of an `ArchiveBuffer`, whose content is encoded when it is written.
struct ArchiveWrite: Sendable {
    /// The new content of a value, nil to remove it, and the names of other values to remove.
    struct Change: Sendable {
        var content: Data?
        var removed: [String] = []
    }

    let name: String
    /// The date at which the write was requested.
    let date: Date
    let change: @Sendable () throws -> Change
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

    /// Adds a write, which replaces a pending one with the same name.
    mutating func add(_ write: ArchiveWrite) {
        if pendingWrites.updateValue(write, forKey: write.name) == nil { names.append(write.name) }
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
