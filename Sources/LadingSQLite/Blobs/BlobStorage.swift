import FileAccess
import Foundation
import GRDB
import LadingCaching
import SQLiteFiles
import Synchronization

/// The bodies in a directory, with calls that may block.
///
/// The index is authoritative: a body exists if it has a row. Its file is written before the row and removed after it.
final class BlobStorage: Sendable {
    struct State {
        var index: BlobIndex
        /// The entries of the index in order of use.
        var eviction: BlobEvictionController
        /// The last number assigned to a body, a file or an access.
        var lastNumber: Int64
        /// The accesses that are not saved in the index yet, by version.
        var pendingAccesses: [Int64: Int64] = [:]
        var quarantinedFile: QuarantinedFile?
        var isClosed = false

        mutating func next() -> Int64 {
            lastNumber += 1
            return lastNumber
        }
    }

    /// The number of accesses that are saved together, because each save writes a page of the index.
    private static let pendingAccessLimit = 1_000

    /// The names of the index and of the body folder in the directory of a store.
    static let indexName = "blobs.sqlite"
    static let bodiesName = "bodies"

    /// The maximum size of a body with its key and metadata, in bytes.
    let bodyLimit: Int
    let byteLimit: Int
    /// The maximum length of a body that is stored in the index, in bytes.
    private let inlineLimit: Int
    let file: URL
    let files: BodyFiles
    let state: Mutex<State>
    /// A lock that serializes the replacement of a damaged index.
    let replacementLock = Mutex(())

    /// - Throws: `SQLiteFileError`.
    init(in directory: URL, byteLimit: Int, inlineLimit: Int) throws {
        (self.byteLimit, self.inlineLimit) = (byteLimit, inlineLimit)
        bodyLimit = BlobEvictionController(byteLimit: byteLimit).bodyLimit
        file = directory.appending(path: Self.indexName, directoryHint: .notDirectory)
        files = BodyFiles(folder: directory.appending(path: Self.bodiesName, directoryHint: .isDirectory))
        do { try files.create() } catch { throw SQLiteFile.failure(error, of: directory) }
        state = Mutex(try Self.open(file, files, byteLimit: byteLimit))
    }

    var quarantinedFile: QuarantinedFile? { state.withLock { $0.quarantinedFile } }
    var usage: BlobUsage { state.withLock { $0.eviction.usage } }

    func limitPages(to: Int) throws { try index.limitPages(to: to) }

    func close() throws {
        let (index, accesses) = state.withLock { state in
            defer { (state.isClosed, state.pendingAccesses) = (true, [:]) }
            return (state.index, state.pendingAccesses)
        }
        saveAccesses(accesses, in: index)
        do { try index.close() } catch let error as DatabaseError { throw SQLiteStoreError.failure(error, of: file) }
    }

    /// Performs a call that may block on another thread.
    ///
    /// - Throws: The errors of the call; `SQLiteStoreError` for those of SQLite.
    func run<Value: Sendable>(
        on threads: FileThreadPool, _ call: @escaping @Sendable (BlobStorage) throws -> Value
    ) async throws -> Value {
        do { return try await threads.run { [self] in try call(self) } } catch let error as DatabaseError {
            throw SQLiteStoreError.failure(error, of: file)
        }
    }

    // MARK: Reading

    func blobs(in group: String) throws -> [Blob] {
        try recoveringIfCorrupt { index in
            let found = try index.read { try $0.blobs(in: group) }
            if !found.damaged.isEmpty { try removeCorrupt(found.damaged, from: index) }
            return found.blobs
        }
    }

    /// Returns nil if the body was removed or is damaged; a damaged body is removed.
    func reader(of blob: Blob, on threads: FileThreadPool) throws -> SQLiteBlobReader? {
        try recoveringIfCorrupt { index in
            guard isStored(blob, in: index) else { return nil }
            guard let reader = try index.read({ try $0.location(of: blob.version) }).flatMap({ try reader(of: blob, at: $0, threads) })
            else {
                try removeCorrupt(blob, from: index)
                return nil
            }
            recordAccess(of: blob, in: index)
            return reader
        }
    }

    private func reader(of blob: Blob, at location: BlobTables.BodyLocation, _ threads: FileThreadPool) throws -> SQLiteBlobReader? {
        do {
            return try SQLiteBlobReader(blob, at: location, in: files, on: threads) { [weak self] in
                guard let self else { return }
                try? removeCorrupt(blob, from: index)
            }
        } catch BlobStoreError.corrupt {
            return nil
        } catch let error as POSIXError where error.code == .ENOENT {
            return nil
        }
    }

    private func isStored(_ blob: Blob, in index: BlobIndex) -> Bool {
        state.withLock { $0.eviction.version(of: index.hash(of: blob.key)) } == blob.version
    }

    private func recordAccess(of blob: Blob, in index: BlobIndex) {
        let uses = state.withLock { state -> [Int64: Int64] in
            state.eviction.access(index.hash(of: blob.key), version: blob.version)
            state.pendingAccesses[blob.version] = state.next()
            guard state.pendingAccesses.count >= Self.pendingAccessLimit else { return [:] }
            defer { state.pendingAccesses = [:] }
            return state.pendingAccesses
        }
        if !uses.isEmpty { saveAccesses(uses, in: index) }
    }

    /// Saves accesses. An error only affects the order of eviction after the next start.
    private func saveAccesses(_ uses: [Int64: Int64], in index: BlobIndex) {
        try? index.write { try $0.save(accesses: uses) }
    }

    // MARK: Writing

    /// Writes the whole blocks of a draft.
    func write(_ draft: BlobDraft) throws -> BlobDraft {
        var draft = draft
        try mappingDiskFull(for: draft.key) { try draft.write(makeFile: makeFile) }
        return draft
    }

    /// Stores a body and makes it visible.
    func commit(_ draft: BlobDraft) throws -> Blob {
        var draft = draft
        try mappingDiskFull(for: draft.key) { try draft.close(inlineLimit: inlineLimit, makeFile: makeFile) }
        let (key, metadata, place) = (draft.key, draft.metadata, draft.location)
        let blob = try update(for: key) { tables in
            let blob = Blob(key: key, version: state.withLock { $0.next() }, metadata: metadata, length: place.length)
            try tables.insert(blob, place)
            return (blob, blob, [])
        }
        draft.file?.commit()
        return blob
    }

    func setMetadata(_ metadata: [UInt8], of blob: Blob) throws -> Blob? {
        let changed = Blob(key: blob.key, version: blob.version, metadata: metadata, length: blob.length)
        guard changed.cost <= bodyLimit else { throw BlobStoreError.tooLong(blob.key, limit: bodyLimit) }
        return try update(for: blob.key) { tables in
            let isCurrent = state.withLock { $0.eviction.version(of: tables.hash(of: blob.key)) } == blob.version
            guard isCurrent, try tables.update(changed) else { return (nil, nil, []) }
            return (changed, changed, [])
        }
    }

    func remove(_ blob: Blob) throws {
        try update(for: blob.key) { tables in
            let isCurrent = state.withLock { $0.eviction.version(of: tables.hash(of: blob.key)) } == blob.version
            return ((), nil, isCurrent ? [blob.version] : [])
        }
    }

    func removeAll(in group: String) throws {
        try update(for: BlobKey(group: group)) { tables in
            let (blobs, damaged) = try tables.blobs(in: group)
            return ((), nil, blobs.map(\.version) + damaged)
        }
    }

    func removeAll() throws {
        try update(for: BlobKey(group: "")) { try ((), nil, $0.entries().map(\.version)) }
    }

    private func makeFile() throws -> BodyFile {
        try BodyFile(state.withLock { $0.next() }, in: files)
    }
}
