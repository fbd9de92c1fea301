import Foundation

/// A write that waits in an `ArchiveBuffer`. Its content is encoded when it is written.
struct ArchiveWrite: Sendable {
    /// The content of the value, nil to remove it, and the names of further values to remove.
    struct Change: Sendable {
        var content: Data?
        var removed: [String] = []
    }

    let name: String
    /// When it was decided.
    let date: Date
    let change: @Sendable () throws -> Change
}

/// Decides which writes of an archive are performed next. A synchronous value.
///
/// A write is waiting → in the batch → gone, or → waiting again when the batch failed and no newer write has the same name.
struct ArchiveBuffer: Sendable {
    /// The maximum number of writes of a batch.
    static let batchLimit = 500

    /// The maximum number of waiting writes: beyond it the oldest one is dropped.
    let limit: Int
    /// The names of waiting writes, oldest first.
    private var names: [String] = []
    private var waitingWrites: [String: ArchiveWrite] = [:]
    private var batch: [ArchiveWrite] = []

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { waitingWrites.isEmpty }

    /// Adds a write, in place of a waiting one of the same name.
    mutating func add(_ write: ArchiveWrite) {
        if waitingWrites.updateValue(write, forKey: write.name) == nil { names.append(write.name) }
        if waitingWrites.count > limit { dropOldest() }
    }

    /// The newest write of a name that is not performed yet.
    func write(named name: String) -> ArchiveWrite? {
        waitingWrites[name] ?? batch.last { $0.name == name }
    }

    /// Begins the next batch: the oldest writes.
    mutating func beginBatch() -> [ArchiveWrite] {
        precondition(batch.isEmpty, "one batch is written at a time")
        batch = names.prefix(Self.batchLimit).compactMap { waitingWrites.removeValue(forKey: $0) }
        names.removeFirst(batch.count)
        return batch
    }

    /// Ends the batch. Writes that failed wait again, before all others.
    mutating func endBatch(isWritten: Bool) {
        defer { batch = [] }
        guard !isWritten else { return }
        let failed = batch.filter { waitingWrites[$0.name] == nil }
        for write in failed { waitingWrites[write.name] = write }
        names.insert(contentsOf: failed.map(\.name), at: 0)
        while waitingWrites.count > limit { dropOldest() }
    }

    private mutating func dropOldest() {
        guard !names.isEmpty else { return }
        waitingWrites[names.removeFirst()] = nil
    }
}
