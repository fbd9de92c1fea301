import FileChecksums
import FilePermissions
import Foundation
import NIOCore
import ServerStartup
import Synchronization

/// The uploaded files of an origin and its uploads in progress, in one directory.
///
/// `files` contains complete files under their names, with their checksums in hidden files; `parts` contains uploads: content in `ID.part`, metadata in
/// `ID.json`. A synced file is renamed atomically. The offset of an upload is the length of its part file, or after a reboot the number of synced bytes.
final class UploadStore: Sendable {
    /// The default maximum of stored records of complete uploads; the first to complete is removed first.
    static let completeLimit = 1_000
    /// The name of the folder of complete files.
    static let filesName = "files"
    /// The name of the folder of uploads.
    static let partsName = "parts"

    /// The ends of the names of an upload's files: its content, its record, and a record that is being written.
    private static let endings = [".part", ".json", ".new"]

    /// The maximum size of a file, in bytes.
    let sizeLimit: Int
    private let completeLimit: Int
    private let files: URL
    private let parts: URL
    private let bootID: String?
    private let now: @Sendable () -> Date
    private let table: Mutex<UploadTable>
    /// Held while a file is published, so that its preconditions still hold at the rename.
    private let publishLock = Mutex(())
    /// The folder that is removed with the store, if nothing outlives the process.
    private let temporaryFolder: UploadFolder?

    /// Opens the uploads in a directory, which is created when it is missing.
    ///
    /// - Parameters:
    ///   - temporaryFolder: The folder that is removed with the store; nil for a permanent directory.
    ///   - limits: The limits on concurrent uploads and on the space of all.
    ///   - bootID: The identifier of the current boot.
    init(
        in directory: URL, temporaryFolder: UploadFolder? = nil, sizeLimit: Int, limits: UploadLimits = UploadLimits(),
        completeLimit: Int = UploadStore.completeLimit, bootID: String?, now: @escaping @Sendable () -> Date
    ) throws {
        files = directory.appending(path: Self.filesName, directoryHint: .isDirectory)
        parts = directory.appending(path: Self.partsName, directoryHint: .isDirectory)
        self.temporaryFolder = temporaryFolder
        (self.sizeLimit, self.completeLimit) = (sizeLimit, completeLimit)
        (self.bootID, self.now) = (bootID, now)
        table = Mutex(UploadTable(Self.records(in: parts), limits: limits))
        // On a full disk files are served, and each new upload is refused.
        do { try createFolders() } catch  where InsufficientStorage.isCause(of: error) {}
        for record in table.withLock({ $0.all }) {
            do { try recover(record) } catch  where InsufficientStorage.isCause(of: error) {}
        }
        let (lengths, time) = (partLengths(), self.time)
        let space = usedSpace(lengths)
        table.withLock { $0.restore(lengths: lengths, usedSpace: space, at: time) }
        removeExpired()
    }

    deinit { close() }

    /// Removes the temporary folder.
    func close() {
        temporaryFolder?.remove()
    }

    private func createFolders() throws {
        for folder in [files, parts] { try PrivateFiles.createDirectory(folder) }
    }

    private static func records(in parts: URL) -> [String: UploadRecord] {
        let names = Set(Self.names(in: parts))
        var records: [String: UploadRecord] = [:]
        var unreadable: [String] = []
        for name in names where name.hasSuffix(".json") && UploadRecord.isValidID(String(name.dropLast(5))) {
            guard let data = try? Data(contentsOf: parts.appending(path: name)) else {
                // The read may succeed at the next start.
                unreadable.append(String(name.dropLast(5)))
                continue
            }
            guard let record = try? JSONDecoder().decode(UploadRecord.self, from: data), record.id + ".json" == name,
                record.isValid, record.isComplete || names.contains(record.id + ".part")
            else { continue }
            records[record.id] = record
        }
        // Content without a readable record is removed.
        for name in names.subtracting((unreadable + records.keys).flatMap { [$0 + ".json", $0 + ".part"] }) {
            try? FileManager.default.removeItem(at: parts.appending(path: name))
        }
        return records
    }

    /// Completes an interrupted rename, and truncates bytes that may not have reached the disk before a reboot.
    private func recover(_ record: UploadRecord) throws {
        if record.isComplete {
            if FileManager.default.fileExists(atPath: part(record.id).path) { try moveAndSync(record) }
        } else if record.bootID == nil || record.bootID != bootID {
            let file = try StoredFile(part(record.id), for: .appending)
            if file.length > record.syncedLength { try file.truncate(to: record.syncedLength) }
        }
    }

    /// Returns the lengths of the contents of incomplete uploads by their ids.
    private func partLengths() -> [String: Int] {
        let ids = Self.names(in: parts).filter { $0.hasSuffix(".part") }.map { String($0.dropLast(5)) }
        return Dictionary(uniqueKeysWithValues: ids.map { ($0, (try? StoredFile(part($0)))?.length ?? 0) })
    }

    /// Returns the number of bytes of all files and of contents with these lengths, with their overheads.
    private func usedSpace(_ lengths: [String: Int]) -> Int {
        let complete = Self.names(in: files).filter { !$0.hasPrefix(".") }.map { (try? StoredFile(url($0)))?.length ?? 0 }
        return (complete + lengths.values).reduce(0) { $0 + UploadLimits.overhead + $1 }
    }

    private static func names(in folder: URL) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    /// The current time, in seconds since 1970.
    private var time: Double { now().timeIntervalSince1970 }

    private func part(_ id: String) -> URL { parts.appending(path: id + ".part", directoryHint: .notDirectory) }

    private func url(_ name: String) -> URL { files.appending(path: name, directoryHint: .notDirectory) }
}

// MARK: - Files

extension UploadStore {
    /// The errors of opening a name that is missing, a symbolic link or not a regular file.
    private static let missingFileCodes: [POSIXErrorCode] = [.ENOENT, .ELOOP, .EISDIR]

    /// Returns a complete file; nil when there is none with this name.
    func file(_ name: UploadName) throws -> StoredFile? { try file(name.text) }

    private func file(_ name: String) throws -> StoredFile? {
        do { return try StoredFile(url(name)) } catch let error as POSIXError where Self.missingFileCodes.contains(error.code) {
            return nil
        }
    }
}

// MARK: - Uploads

extension UploadStore {
    /// Creates an upload.
    ///
    /// - Parameter client: The network of the client; nil where it is unknown.
    /// - Throws: `UploadProblem.tooManyUploadsPerClient`, `.tooManyUploads` or `.noSpace`, or an error of the disk.
    func create(
        _ name: UploadName, length: Int?, preconditions: Preconditions? = nil, for client: ClientAddress? = nil
    ) throws -> UploadRecord {
        removeExpired()
        let time = self.time
        removeFiles(of: table.withLock { $0.makeRoom(for: client, at: time) })
        let record = UploadRecord(
            id: UploadRecord.makeID(), name: name.text, preconditions: preconditions, length: length, bootID: bootID, createdAt: time)
        try table.withLock { try $0.add(record, of: client) }
        do {
            try createFolders()
            _ = try StoredFile(part(record.id), for: .creating)
            try save(record)
        } catch {
            remove(record.id)
            throw error
        }
        return record
    }

    subscript(id: String) -> UploadRecord? { table.withLock { $0[id] } }

    /// Returns the number of received bytes of an upload.
    func offset(of record: UploadRecord) throws -> Int {
        if record.isComplete { return record.length ?? record.syncedLength }
        return try open(record).length
    }

    func open(_ record: UploadRecord) throws -> StoredFile { try StoredFile(part(record.id), for: .appending) }

    /// Opens the file of an upload for a request that appends to it.
    ///
    /// - Throws: `UploadProblem.removed`, or an error of the disk.
    func openForAppending(_ record: UploadRecord) throws -> StoredFile {
        let time = self.time
        try table.withLock { try $0.markActive(record.id, at: time) }
        return try open(record)
    }

    /// Appends content to the file of an upload.
    ///
    /// - Throws: `UploadProblem.noSpace`, `.removed`, or an error of the disk.
    func append(_ buffer: ByteBuffer, to file: StoredFile, of record: UploadRecord) throws {
        let (count, time) = (buffer.readableBytes, self.time)
        try table.withLock { try $0.occupySpace(count, of: record.id, at: time) }
        do { try file.append(buffer) } catch {
            table.withLock { $0.releaseSpace(count, of: record.id) }
            throw error
        }
    }

    /// Syncs the bytes up to an offset, then saves the record.
    ///
    /// - Throws: `UploadProblem.removed`, or an error of the disk.
    func checkpoint(_ record: UploadRecord, _ file: StoredFile, upTo offset: Int) throws {
        try file.sync()
        var record = record
        record.syncedLength = offset
        try save(record)
    }

    /// Moves a complete, synced upload to its name.
    ///
    /// The record is stored as complete before the rename: after a kill in between, the next start completes it.
    ///
    /// - Returns: Whether a file was replaced; nil when a precondition failed and nothing was done.
    /// - Throws: `UploadProblem.removed`, or an error of the disk.
    func publish(_ record: UploadRecord, length: Int) throws -> Bool? {
        let replaced = try publishLock.withLock { _ -> Bool? in
            let existing = try file(record.name)
            guard record.preconditions?.allowsReplacing(existing) != false else { return nil }
            try complete(record, length: length)
            if let existing { table.withLock { $0.releaseSpace(existing.length + UploadLimits.overhead) } }
            return existing != nil
        }
        if replaced != nil { writeChecksum(of: record.name) }
        removeExpired()
        return replaced
    }

    private func complete(_ record: UploadRecord, length: Int) throws {
        var (record, completed) = (record, record)
        record.syncedLength = length
        (completed.isComplete, completed.length, completed.syncedLength, completed.completedAt) = (
            true, length, length, time
        )
        do {
            try save(completed)
            try moveToFiles(completed)
        } catch {
            try? save(record)
            throw error
        }
        // The upload stays complete when this fails: the next start repeats a rename that did not reach the disk.
        try StoredFile.syncDirectory(files)
    }

    private func moveAndSync(_ record: UploadRecord) throws {
        try moveToFiles(record)
        try StoredFile.syncDirectory(files)
        writeChecksum(of: record.name)
    }

    private func moveToFiles(_ record: UploadRecord) throws {
        // The checksum of a replaced file would make the new one appear damaged.
        ChecksumFile(ofImmutable: url(record.name)).remove()
        try StoredFile.check(rename(part(record.id).path, url(record.name).path))
    }

    /// Writes the checksum of a complete file, for `UploadCheck`. It is computed without the lock, and discarded if the file was replaced meanwhile.
    private func writeChecksum(of name: String) {
        // Nothing verifies files that do not outlive the process.
        guard temporaryFolder == nil, let complete = try? file(name) else { return }
        let checksumFile = ChecksumFile(ofImmutable: url(name))
        guard let checksum = try? checksumFile.checksum() else { return }
        publishLock.withLock { _ in
            guard (try? file(name))?.tag == complete.tag else { return }
            // Without a checksum the file is not verified.
            try? checksumFile.write(checksum)
        }
    }

    func remove(_ id: String) {
        table.withLock { $0.remove(id) }
        removeFiles(id)
    }

    /// Removes expired uploads, and the oldest complete ones beyond the limit.
    private func removeExpired() {
        let time = self.time
        removeFiles(of: table.withLock { $0.removeExpired(completeLimit: completeLimit, at: time) })
    }

    private func removeFiles(of records: [UploadRecord]) {
        for record in records {
            // The content of a complete upload is a file, or is renamed to one at this moment.
            removeFiles(record.id, record.isComplete ? [".json", ".new"] : Self.endings)
        }
    }

    private func removeFiles(_ id: String, _ endings: [String] = UploadStore.endings) {
        for ending in endings { try? FileManager.default.removeItem(at: parts.appending(path: id + ending)) }
    }

    /// Returns the remaining lifetime of an upload, in seconds.
    ///
    /// - Parameter isEmpty: Whether it has no content yet, which shortens its lifetime.
    func remainingLifetime(of record: UploadRecord, isEmpty: Bool) -> Int {
        record.remainingLifetime(isEmpty: isEmpty, at: now())
    }

    /// - Throws: `UploadProblem.removed` if the upload was removed before its record was written, or an error of the disk.
    private func save(_ record: UploadRecord) throws {
        var record = record
        record.bootID = bootID
        let (new, name) = (parts.appending(path: record.id + ".new"), parts.appending(path: record.id + ".json"))
        let file = try StoredFile(new, for: .creating)
        try file.truncate(to: 0)
        try file.append(.init(bytes: JSONEncoder().encode(record)))
        try file.sync()
        try StoredFile.check(rename(new.path, name.path))
        try StoredFile.syncDirectory(parts)
        guard table.withLock({ $0.update(record) }) else {
            // The removal may not have found the file that was just written.
            removeFiles(record.id)
            throw UploadProblem.removed
        }
    }
}
