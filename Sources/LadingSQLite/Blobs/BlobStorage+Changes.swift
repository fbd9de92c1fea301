import Foundation
import GRDB
import LadingCaching
import Synchronization

extension BlobStorage {
    var index: BlobIndex { state.withLock { $0.index } }

    /// Changes the index, and then what follows from it.
    ///
    /// - Parameter body: Returns what came of it, and the bodies that go.
    /// - Throws: `BlobStoreError.noRoom`.
    func update<Outcome>(for key: BlobKey, _ body: (BlobTables) throws -> (Outcome, gone: [Int64])) throws -> Outcome {
        try mappingDiskFull(for: key) { try recoveringFromDamage { try applyChange(to: $0, body) } }
    }

    /// Removes a body that is not what was written.
    func removeDamaged(_ blob: Blob, from index: BlobIndex) throws {
        state.withLock { _ = $0.eviction.remove(index.hash(of: blob.key), version: blob.version) }
        try removeDamaged([blob.version], from: index)
    }

    /// The same for bodies of which not even the key can be told.
    func removeDamaged(_ versions: [Int64], from index: BlobIndex) throws {
        try applyChange(to: index) { _ in ((), versions) }
    }

    private func applyChange<Outcome>(to index: BlobIndex, _ body: (BlobTables) throws -> (Outcome, gone: [Int64])) throws -> Outcome {
        do {
            let (outcome, removed) = try index.write { tables in
                let (outcome, gone) = try body(tables)
                let removed = try tables.remove(gone)
                state.withLock { state in
                    for entry in removed { state.eviction.remove(entry.hash, version: entry.version) }
                }
                return (outcome, removed)
            }
            files.remove(removed.compactMap(\.file))
            return outcome
        } catch {
            // The ledger is ahead of the index, which takes nothing of this.
            try? index.write { tables in
                let (eviction, _) = try Self.makeEviction(of: tables.entries(), byteLimit: byteLimit)
                state.withLock { $0.eviction = eviction }
            }
            throw error
        }
    }

    /// Does something with the index; when it turns out to be damaged, once more with a new one.
    func recoveringFromDamage<Outcome>(_ body: (BlobIndex) throws -> Outcome) throws -> Outcome {
        let index = index
        do {
            return try body(index)
        } catch let error as DatabaseError where error.isDamage {
            try replace(index, because: error)
            return try body(self.index)
        }
    }

    /// Sets the index aside, unless somebody else has done so. Closing it waits for those who write, and they need the state.
    private func replace(_ damaged: BlobIndex, because cause: DatabaseError) throws {
        try replacementLock.withLock { _ in
            guard state.withLock({ $0.index === damaged && !$0.isClosed }) else { return }
            try damaged.close()
            let quarantined = try SQLiteFile.quarantine(file, as: QuarantinedFile.Reason.damaged.rawValue, because: cause, isReplacing: true)
            let opened = try Self.open(file, files, byteLimit: byteLimit)
            state.withLock { state in
                // Bodies that are being written have their files already.
                let lastNumber = max(state.lastNumber, opened.lastNumber)
                state = opened
                (state.lastNumber, state.quarantinedFile) = (lastNumber, QuarantinedFile(file: quarantined, reason: .damaged))
            }
        }
    }

    /// What no room means for the body of a key.
    func mappingDiskFull<Outcome>(for key: BlobKey, _ body: () throws -> Outcome) throws -> Outcome {
        do {
            return try body()
        } catch  where SQLiteFile.isDiskFull(error, at: file) {
            throw BlobStoreError.noRoom(key)
        }
    }

    // MARK: Opening

    static func open(_ file: URL, _ files: BodyFiles, byteLimit: Int) throws -> State {
        let (index, loaded, quarantined) = try BlobIndex.open(file) { try load($0, files, byteLimit: byteLimit) }
        return State(index: index, eviction: loaded.ledger, lastNumber: loaded.lastNumber, quarantinedFile: quarantined)
    }

    /// Reads what is kept, and removes what has no file, no row, or no room any more.
    private static func load(_ index: BlobIndex, _ files: BodyFiles, byteLimit: Int) throws -> (ledger: BlobEvictionController, lastNumber: Int64) {
        try index.write { tables in
            let entries = try tables.entries()
            let there = try files.removeAll(except: Set(entries.compactMap(\.file)))
            let whole = entries.filter { $0.file.map(there.contains) ?? true }
            let (eviction, gone) = makeEviction(of: whole, byteLimit: byteLimit)
            let missing = entries.filter { $0.file.map { !there.contains($0) } ?? false }.map(\.version)
            let lastNumber = try tables.lastNumber()
            files.remove(try tables.remove(missing + gone).compactMap(\.file))
            return (eviction, lastNumber)
        }
    }

    /// The ledger of bodies that are used in their order, and those that find no room in it.
    private static func makeEviction(of entries: [BlobTables.Entry], byteLimit: Int) -> (ledger: BlobEvictionController, gone: [Int64]) {
        var eviction = BlobEvictionController(byteLimit: byteLimit)
        var gone: [Int64] = []
        for entry in entries {
            // A body that is too long now would drive out all others.
            let isTooLong = entry.cost > eviction.bodyLimit
            gone += isTooLong ? [entry.version] : eviction.insert(entry.hash, version: entry.version, cost: entry.cost)
        }
        return (eviction, gone)
    }
}
