import Foundation
import GRDB
import LadingCaching
import Synchronization

extension BlobShelf {
    var index: BlobIndex { state.withLock { $0.index } }

    /// Changes the index, and then what follows from it.
    ///
    /// - Parameter body: Returns what came of it, and the bodies that go.
    /// - Throws: `BlobStoreError.noRoom`.
    func changing<Outcome>(for key: BlobKey, _ body: (BlobTables) throws -> (Outcome, gone: [Int64])) throws -> Outcome {
        try telling(key) { try surviving { try change($0, body) } }
    }

    /// Removes a body that is not what was written.
    func drop(_ blob: Blob, from index: BlobIndex) throws {
        state.withLock { _ = $0.ledger.remove(index.hash(of: blob.key), version: blob.version) }
        try drop([blob.version], from: index)
    }

    /// The same for bodies of which not even the key can be told.
    func drop(_ versions: [Int64], from index: BlobIndex) throws {
        try change(index) { _ in ((), versions) }
    }

    private func change<Outcome>(_ index: BlobIndex, _ body: (BlobTables) throws -> (Outcome, gone: [Int64])) throws -> Outcome {
        do {
            let (outcome, removed) = try index.write { tables in
                let (outcome, gone) = try body(tables)
                let removed = try tables.remove(gone)
                state.withLock { state in
                    for entry in removed { state.ledger.remove(entry.hash, version: entry.version) }
                }
                return (outcome, removed)
            }
            files.remove(removed.compactMap(\.file))
            return outcome
        } catch {
            // The ledger is ahead of the index, which takes nothing of this.
            try? index.write { tables in
                let (ledger, _) = try Self.ledger(of: tables.entries(), byteLimit: byteLimit)
                state.withLock { $0.ledger = ledger }
            }
            throw error
        }
    }

    /// Does something with the index; when it turns out to be damaged, once more with a new one.
    func surviving<Outcome>(_ body: (BlobIndex) throws -> Outcome) throws -> Outcome {
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
        try replacing.withLock { _ in
            guard state.withLock({ $0.index === damaged && !$0.isClosed }) else { return }
            try damaged.close()
            let aside = try SQLiteFile.setAside(file, as: SetAsideFile.Reason.damaged.rawValue, because: cause, isReplacing: true)
            let opened = try Self.open(file, files, byteLimit: byteLimit)
            state.withLock { state in
                // Bodies that are being written have their files already.
                let lastNumber = max(state.lastNumber, opened.lastNumber)
                state = opened
                (state.lastNumber, state.setAside) = (lastNumber, SetAsideFile(file: aside, reason: .damaged))
            }
        }
    }

    /// What no room means for the body of a key.
    func telling<Outcome>(_ key: BlobKey, _ body: () throws -> Outcome) throws -> Outcome {
        do {
            return try body()
        } catch  where SQLiteFile.isDiskFull(error, at: file) {
            throw BlobStoreError.noRoom(key)
        }
    }

    // MARK: Opening

    static func open(_ file: URL, _ files: BodyFiles, byteLimit: Int) throws -> State {
        let (index, loaded, aside) = try BlobIndex.open(file) { try load($0, files, byteLimit: byteLimit) }
        return State(index: index, ledger: loaded.ledger, lastNumber: loaded.lastNumber, setAside: aside)
    }

    /// Reads what is kept, and removes what has no file, no row, or no room any more.
    private static func load(_ index: BlobIndex, _ files: BodyFiles, byteLimit: Int) throws -> (ledger: BlobLedger, lastNumber: Int64) {
        try index.write { tables in
            let entries = try tables.entries()
            let there = try files.removeAll(but: Set(entries.compactMap(\.file)))
            let whole = entries.filter { $0.file.map(there.contains) ?? true }
            let (ledger, gone) = ledger(of: whole, byteLimit: byteLimit)
            let missing = entries.filter { $0.file.map { !there.contains($0) } ?? false }.map(\.version)
            let lastNumber = try tables.lastNumber()
            files.remove(try tables.remove(missing + gone).compactMap(\.file))
            return (ledger, lastNumber)
        }
    }

    /// The ledger of bodies that are used in their order, and those that find no room in it.
    private static func ledger(of entries: [BlobTables.Entry], byteLimit: Int) -> (ledger: BlobLedger, gone: [Int64]) {
        var ledger = BlobLedger(byteLimit: byteLimit)
        var gone: [Int64] = []
        for entry in entries {
            // A body that is too long now would drive out all others.
            let isTooLong = entry.cost > ledger.bodyLimit
            gone += isTooLong ? [entry.version] : ledger.keep(entry.hash, version: entry.version, cost: entry.cost)
        }
        return (ledger, gone)
    }
}
