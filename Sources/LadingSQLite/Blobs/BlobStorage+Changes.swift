import Foundation
import GRDB
import LadingCaching
import SQLiteFiles
import Synchronization

extension BlobStorage {
    var index: BlobIndex { state.withLock { $0.index } }

    /// Changes the index and the eviction state in one transaction, and removes files after it.
    ///
    /// - Parameter body: Changes the tables, and returns its result and the versions of the bodies to remove.
    /// - Throws: `BlobStoreError.noRoom`.
    func update<Outcome>(for key: BlobKey, _ body: (BlobTables) throws -> (Outcome, removed: [Int64])) throws -> Outcome {
        try mappingDiskFull(for: key) { try recoveringIfCorrupt { try applyChange(to: $0, body) } }
    }

    /// Removes a damaged body.
    func removeCorrupt(_ blob: Blob, from index: BlobIndex) throws {
        state.withLock { _ = $0.eviction.remove(index.hash(of: blob.key), version: blob.version) }
        try removeCorrupt([blob.version], from: index)
    }

    /// Removes damaged bodies whose keys are unreadable.
    func removeCorrupt(_ versions: [Int64], from index: BlobIndex) throws {
        try applyChange(to: index) { _ in ((), versions) }
    }

    private func applyChange<Outcome>(to index: BlobIndex, _ body: (BlobTables) throws -> (Outcome, removed: [Int64])) throws -> Outcome {
        do {
            let (outcome, removedEntries) = try index.write { tables in
                let (outcome, versions) = try body(tables)
                let entries = try tables.remove(versions)
                state.withLock { state in
                    for entry in entries { state.eviction.remove(entry.hash, version: entry.version) }
                }
                return (outcome, entries)
            }
            files.remove(removedEntries.compactMap(\.file))
            return outcome
        } catch {
            // The transaction was rolled back, so the eviction state is made again from the index.
            try? index.write { tables in
                let (eviction, _) = try Self.makeEviction(of: tables.entries(), byteLimit: byteLimit)
                state.withLock { $0.eviction = eviction }
            }
            throw error
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
