import Foundation
import GRDB
import LadingCaching
import SQLiteFiles
import Synchronization

extension BlobStorage {
    /// The result of a change of the tables, the body that it has stored or changed, and the versions of the bodies to remove.
    typealias IndexChange<Outcome> = (outcome: Outcome, stored: Blob?, removed: [Int64])

    var index: BlobIndex { state.withLock { $0.index } }

    /// Changes the index and the eviction state together, and removes files after the transaction.
    ///
    /// - Parameter body: Changes the tables.
    /// - Throws: `BlobStoreError.noRoom`.
    func update<Outcome>(for key: BlobKey, _ body: (BlobTables) throws -> IndexChange<Outcome>) throws -> Outcome {
        try mappingDiskFull(for: key) { try recoveringIfCorrupt { try applyChange(to: $0, body) } }
    }

    /// Removes a damaged body.
    func removeCorrupt(_ blob: Blob, from index: BlobIndex) throws {
        try removeCorrupt([blob.version], from: index)
        // The index may have lost its entry.
        state.withLock { _ = $0.eviction.remove(index.hash(of: blob.key), version: blob.version) }
    }

    /// Removes damaged bodies whose keys are unreadable.
    func removeCorrupt(_ versions: [Int64], from index: BlobIndex) throws {
        try applyChange(to: index) { _ in ((), nil, versions) }
    }

    private func applyChange<Outcome>(to index: BlobIndex, _ body: (BlobTables) throws -> IndexChange<Outcome>) throws -> Outcome {
        var stored: Blob?
        var evicted: [Int64] = []
        let (outcome, removedEntries) = try index.write { tables in
            let change = try body(tables)
            if let blob = change.stored {
                stored = blob
                evicted = state.withLock { $0.eviction.insert(tables.hash(of: blob.key), version: blob.version, cost: blob.cost) }
            }
            return (change.outcome, try tables.remove(change.removed + evicted))
        } onRollback: { tables in
            if let stored { restoreEviction(before: stored, evicted, tables) }
        }
        state.withLock { state in
            for entry in removedEntries { state.eviction.remove(entry.hash, version: entry.version) }
        }
        files.remove(removedEntries.compactMap(\.file))
        return outcome
    }

    /// Restores the eviction state before a body was stored, except for the order of use.
    ///
    /// It reads only the changed entries, because on a full disk every write fails, and the index may have many.
    private func restoreEviction(before blob: Blob, _ evicted: [Int64], _ tables: BlobTables) {
        let entries = (try? tables.entries(of: evicted + [blob.version])) ?? []
        let hash = tables.hash(of: blob.key)
        state.withLock { state in
            state.eviction.remove(hash, version: blob.version)
            for entry in entries { _ = state.eviction.insert(entry.hash, version: entry.version, cost: entry.cost) }
        }
    }

    /// Performs work with the index; if that is damaged, replaces it by an empty one and performs the work again.
    func recoveringIfCorrupt<Outcome>(_ body: (BlobIndex) throws -> Outcome) throws -> Outcome {
        let index = index
        do {
            return try SQLiteFile.repeatingIfCorrupt { try body(index) }
        } catch let error as DatabaseError where error.isCorrupt {
            try SQLiteStoreError.converting { try replace(index, cause: error) }
            return try body(self.index)
        }
    }

    /// Quarantines a damaged index and opens an empty one, unless another caller has done so.
    private func replace(_ damaged: BlobIndex, cause: DatabaseError) throws {
        try replacementLock.withLock { _ in
            guard state.withLock({ $0.index === damaged && !$0.isClosed }) else { return }
            // Not under the lock of the state: closing waits for writers, which acquire it.
            try damaged.close()
            let quarantined = try SQLiteFile.quarantine(
                file, as: QuarantinedFile.Reason.corrupt.rawValue, cause: cause, isReplacing: true)
            let opened = try Self.open(file, files, byteLimit: byteLimit)
            state.withLock { state in
                // Bodies that are being written already have files.
                let lastNumber = max(state.lastNumber, opened.lastNumber)
                state = opened
                (state.lastNumber, state.quarantinedFile) = (lastNumber, QuarantinedFile(file: quarantined, reason: .corrupt))
            }
        }
    }

    /// Maps disk-full errors to `BlobStoreError.noRoom`.
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
        return State(index: index, eviction: loaded.eviction, lastNumber: loaded.lastNumber, quarantinedFile: quarantined)
    }

    /// Loads the entries; removes rows without a file, files without a row, and bodies beyond the limit.
    private static func load(_ index: BlobIndex, _ files: BodyFiles, byteLimit: Int) throws -> (
        eviction: BlobEvictionController, lastNumber: Int64
    ) {
        let (eviction, lastNumber, removedEntries) = try index.write { tables in
            let entries = try tables.entries()
            let existingFiles = try files.removeAll(except: Set(entries.compactMap(\.file)))
            let isComplete = { (entry: BlobTables.Entry) in entry.file.map(existingFiles.contains) ?? true }
            let incomplete = entries.filter { !isComplete($0) }.map(\.version)
            let (eviction, excess) = makeEviction(of: entries.filter(isComplete), byteLimit: byteLimit)
            return (eviction, try tables.lastNumber(), try tables.remove(incomplete + excess))
        }
        files.remove(removedEntries.compactMap(\.file))
        return (eviction, lastNumber)
    }

    /// Returns an eviction controller with the entries in order of use, and the versions of those that exceed the limit.
    private static func makeEviction(of entries: [BlobTables.Entry], byteLimit: Int) -> (BlobEvictionController, excess: [Int64]) {
        var eviction = BlobEvictionController(byteLimit: byteLimit)
        var excess: [Int64] = []
        for entry in entries {
            // A body that exceeds the limit must not evict the others.
            let isTooLong = entry.cost > eviction.bodyLimit
            excess += isTooLong ? [entry.version] : eviction.insert(entry.hash, version: entry.version, cost: entry.cost)
        }
        return (eviction, excess)
    }
}
