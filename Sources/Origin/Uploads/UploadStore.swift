import FilePermissions
import Foundation
import NIOCore
import ServerStartup
import Synchronization

/// The uploaded files of an origin, and those that are on their way, in one directory.
///
/// `files` holds what is whole under its name, `parts` what is not: bytes in `ID.part`, what is known of them in `ID.json`. A file gets its name once
/// it is synced, in one step. How much of an upload is there is the length of its part file; after a new start of the machine, what was synced.
final class UploadStore: Sendable {
    /// How long an upload may take, and how long one that is complete is remembered, in seconds.
    static let lifetime = 7.0 * 86_400
    /// How long an upload may take that has no byte yet, in seconds.
    static let emptyLifetime = 300.0
    /// The most uploads that are remembered after they are complete, unless told otherwise; the one that ended first is forgotten first.
    static let completeLimit = 1_000

    /// The longest file, in bytes.
    let sizeLimit: Int
    private let completeLimit: Int
    private let files: URL
    private let parts: URL
    private let bootID: String?
    private let now: @Sendable () -> Date
    private let table: Mutex<UploadTable>
    /// Held while a file gets its name, so that what was demanded of the one before still holds then.
    private let publishLock = Mutex(())
    /// What is removed when the store is: everything, if nothing is to outlive the process.
    private let temporaryFolder: TemporaryFolder?

    /// Opens the uploads in a directory, and makes it when it is missing.
    ///
    /// - Parameters:
    ///   - temporary: The folder that goes when the store does; nil when the directory stays.
    ///   - limits: The numbers of uploads that may be under way.
    ///   - boot: Tells one start of the machine from the next.
    init(
        in directory: URL, temporaryFolder: TemporaryFolder? = nil, sizeLimit: Int, limits: UploadLimits = UploadLimits(),
        completeLimit: Int = UploadStore.completeLimit, bootID: String?, now: @escaping @Sendable () -> Date
    ) throws {
        files = directory.appending(path: "files", directoryHint: .isDirectory)
        parts = directory.appending(path: "parts", directoryHint: .isDirectory)
        self.temporaryFolder = temporaryFolder
        (self.sizeLimit, self.completeLimit) = (sizeLimit, completeLimit)
        (self.bootID, self.now) = (bootID, now)
        table = Mutex(UploadTable(Self.records(in: parts), limits: limits))
        // On a full disk files are served, and uploads are refused one by one.
        do { try createFolders() } catch  where InsufficientStorage.isCause(of: error) {}
        for record in table.withLock({ $0.all }) {
            do { try recover(record) } catch  where InsufficientStorage.isCause(of: error) {}
        }
        removeExpired()
    }

    deinit { close() }

    /// Removes what is not to outlive the process.
    func close() {
        temporaryFolder?.remove()
    }

    private func createFolders() throws {
        for folder in [files, parts] { try PrivateFiles.createDirectory(folder) }
    }

    private static func records(in parts: URL) -> [String: UploadRecord] {
        let names = Set((try? FileManager.default.contentsOfDirectory(atPath: parts.path)) ?? [])
        var records: [String: UploadRecord] = [:]
        var unreadable: [String] = []
        for name in names where name.hasSuffix(".json") && UploadRecord.isValidID(String(name.dropLast(5))) {
            guard let data = try? Data(contentsOf: parts.appending(path: name)) else {
                // The disk may give it at the next start.
                unreadable.append(String(name.dropLast(5)))
                continue
            }
            guard let record = try? JSONDecoder().decode(UploadRecord.self, from: data), record.id + ".json" == name,
                record.isValid, record.isComplete || names.contains(record.id + ".part")
            else { continue }
            records[record.id] = record
        }
        // Bytes of which nothing is known belong to nobody.
        for name in names.subtracting((unreadable + records.keys).flatMap { [$0 + ".json", $0 + ".part"] }) {
            try? FileManager.default.removeItem(at: parts.appending(path: name))
        }
        return records
    }

    /// Ends what a kill interrupted, and drops what may not have reached the disk before the machine went down.
    private func recover(_ record: UploadRecord) throws {
        if record.isComplete {
            if FileManager.default.fileExists(atPath: part(record.id).path) { try moveAndSync(record) }
        } else if record.bootID == nil || record.bootID != bootID {
            let file = try StoredFile(part(record.id), for: .appending)
            if file.length > record.syncedLength { try file.truncate(to: record.syncedLength) }
        }
    }

    private func part(_ id: String) -> URL { parts.appending(path: id + ".part", directoryHint: .notDirectory) }

    private func url(_ name: String) -> URL { files.appending(path: name, directoryHint: .notDirectory) }
}

// MARK: - Files

extension UploadStore {
    /// What the system says where there is no file, but nothing or something else, of a name.
    private static let missingFileCodes: [POSIXErrorCode] = [.ENOENT, .ELOOP, .EISDIR]

    /// A file that is whole; nil when there is none of this name.
    func file(_ name: UploadName) throws -> StoredFile? { try file(name.text) }

    private func file(_ name: String) throws -> StoredFile? {
        do { return try StoredFile(url(name)) } catch let error as POSIXError where Self.missingFileCodes.contains(error.code) { return nil }
    }
}

// MARK: - Uploads

extension UploadStore {
    /// Begins an upload.
    ///
    /// - Parameter client: The network of the client; nil where it is not known.
    /// - Throws: `UploadProblem.tooManyUploadsPerClient` or `.tooMany`, and the errors of the disk.
    func create(
        _ name: UploadName, length: Int?, preconditions: Preconditions? = nil, for client: ClientAddress? = nil
    ) throws -> UploadRecord {
        removeExpired()
        let record = UploadRecord(
            id: UploadRecord.makeID(), name: name.text, preconditions: preconditions, length: length, bootID: bootID,
            createdAt: now().timeIntervalSince1970)
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

    /// How much of an upload is in its file.
    func offset(of record: UploadRecord) throws -> Int {
        if record.isComplete { return record.length ?? record.syncedLength }
        return try open(record).length
    }

    func open(_ record: UploadRecord) throws -> StoredFile { try StoredFile(part(record.id), for: .appending) }

    /// Makes sure of the bytes up to an offset, and of what else is known.
    func checkpoint(_ record: UploadRecord, _ file: StoredFile, upTo offset: Int) throws {
        try file.sync()
        var record = record
        record.syncedLength = offset
        try save(record)
    }

    /// Gives an upload that is whole and synced its name.
    ///
    /// That it is complete is on disk before: after a kill in between, the next store ends it.
    ///
    /// - Returns: Whether another file had the name; nil, and nothing is done, when what was demanded of that one does not hold.
    func publish(_ record: UploadRecord, length: Int) throws -> Bool? {
        let replaced = try publishLock.withLock { _ -> Bool? in
            let former = try file(record.name)
            guard record.preconditions?.allowsReplacing(former) != false else { return nil }
            try complete(record, length: length)
            return former != nil
        }
        removeExpired()
        return replaced
    }

    private func complete(_ record: UploadRecord, length: Int) throws {
        var (record, completed) = (record, record)
        record.syncedLength = length
        (completed.isComplete, completed.length, completed.syncedLength, completed.completedAt) = (true, length, length, now().timeIntervalSince1970)
        do {
            try save(completed)
            try moveToFiles(completed)
        } catch {
            try? save(record)
            throw error
        }
        // The upload stays complete when this fails: the next store gives a name again that did not reach the disk.
        try StoredFile.syncDirectory(files)
    }

    private func moveAndSync(_ record: UploadRecord) throws {
        try moveToFiles(record)
        try StoredFile.syncDirectory(files)
    }

    private func moveToFiles(_ record: UploadRecord) throws {
        try StoredFile.check(rename(part(record.id).path, url(record.name).path))
    }

    func remove(_ id: String) {
        table.withLock { $0.remove(id) }
        for ending in [".part", ".json", ".new"] { try? FileManager.default.removeItem(at: parts.appending(path: id + ending)) }
    }

    /// How long an upload is still known, in seconds.
    ///
    /// - Parameter isEmpty: Whether it has no byte yet; the first one prolongs its time.
    func remainingLifetime(of record: UploadRecord, isEmpty: Bool) -> Int {
        let lifetime = isEmpty && !record.isComplete ? Self.emptyLifetime : Self.lifetime
        return max(0, Int(record.createdAt + lifetime - now().timeIntervalSince1970))
    }

    private func isExpired(_ record: UploadRecord) -> Bool {
        if remainingLifetime(of: record, isEmpty: false) == 0 { return true }
        // Its file is looked at only when that decides.
        guard record.syncedLength == 0, remainingLifetime(of: record, isEmpty: true) == 0 else { return false }
        return (try? offset(of: record)) == 0
    }

    /// Forgets what is too old, and what is complete beyond the limit.
    private func removeExpired() {
        let records = table.withLock { $0.all }
        let complete = records.filter(\.isComplete).sorted { ($0.completedAt ?? $0.createdAt) < ($1.completedAt ?? $1.createdAt) }
        for record in records.filter(isExpired) + complete.dropLast(completeLimit) { remove(record.id) }
    }

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
        table.withLock { $0.update(record) }
    }
}
