import FileAccess
import FileLocks
import Foundation

/// The journal of one download: a file next to the target, which is replaced atomically.
///
/// Only its owner can read it, because the URL may contain a signature. A damaged file counts as missing, so that the download starts over. The file
/// exists as long as there is a part file to resume from.
final class DownloadJournal: TransferJournal {
    /// The id of the download to a target; one runs at a time.
    static let id = TransferID(rawValue: "transfer")!
    /// The maximum size of the file, in bytes.
    private static let sizeLimit = 64 << 10

    private let record: TransferRecord
    private let file: URL
    private let draft: URL
    private let lockFile: URL
    private let threads = FileThreadPool()

    /// Creates the journal of a download.
    ///
    /// - Parameter record: The record of the download when it starts over.
    init(of record: TransferRecord) {
        self.record = record
        file = PartFile.hiddenFile(nextTo: record.file, suffix: ".\(record.id).json")
        draft = PartFile.hiddenFile(nextTo: record.file, suffix: ".\(record.id).json-new")
        lockFile = PartFile.hiddenFile(nextTo: record.file, suffix: ".\(record.id).lock")
    }

    /// - Throws: `TransferError.partFileInUse` while another download to the target runs.
    func acquireOwnership() throws -> TransferOwnership {
        do throws(FileLock.Failure) {
            let lock = try FileLock(lockFile)
            return TransferOwnership { [lockFile] in
                // While the lock is held: afterwards the file may be that of another download.
                _ = unlink(lockFile.path)
                lock.release()
            }
        } catch {
            switch error {
            case .locked: throw TransferError.partFileInUse(record.file)
            case .unavailable(let cause): throw PartFile.transferError(cause, target: record.file)
            }
        }
    }

    /// Returns the record to resume from, or that of a download that starts over.
    func records() async throws -> [TransferRecord] {
        let stored = await (try? threads.run { [file] in try Self.read(file) })
        return [stored?.resumed(as: record) ?? record]
    }

    func record(of id: TransferID) async throws -> TransferRecord? {
        try await records().first { $0.id == id }
    }

    func save(_ record: TransferRecord) async throws {
        guard record.status != .finished, FileManager.default.fileExists(atPath: PartFile(of: record.file, id: record.id).url.path) else {
            return try await remove(record.id)
        }
        let content = try JSONEncoder().encode(StoredDownload(record))
        try await threads.run { [file, draft] in
            do {
                _ = unlink(draft.path)
                let new = try RandomAccessFile.openForAppending(draft, permissions: 0o600)
                try new.append([UInt8](content))
                try new.sync()
                try RandomAccessFile.publish(draft, as: file, replacing: true)
            } catch {
                throw PartFile.transferError(error, target: record.file)
            }
        }
    }

    func remove(_ id: TransferID) async throws {
        for file in [file, draft] { _ = unlink(file.path) }
    }

    func post(_ command: TransferCommand) async throws {}

    func consumeCommands() async throws -> [TransferCommand] { [] }

    private static func read(_ file: URL) throws -> StoredDownload? {
        let content = try RandomAccessFile.openForReading(file)
        guard try content.isRegular, try content.length <= sizeLimit else { return nil }
        return try JSONDecoder().decode(StoredDownload.self, from: Data(content.read(0..<content.length)))
    }
}

/// The part of a record that a download resumes from.
private struct StoredDownload: Codable {
    let url: String
    let name: String
    let completed: Int
    let total: Int?
    let isResumable: Bool?
    let bootID: String?
    let version: String?
    let digest: String?
    let knownDigest: String?
    let size: Int?
    let modified: Int64?

    init(_ record: TransferRecord) {
        url = record.remote.absoluteString
        name = record.file.lastPathComponent
        (completed, total, isResumable, bootID) = (record.completed, record.total, record.isResumable, record.bootID)
        (version, digest, knownDigest) = (record.version?.text, record.digest, record.knownDigest?.text)
        (size, modified) = (record.fingerprint?.size, record.fingerprint?.modified)
    }

    /// Returns the record of a download that resumes; nil when it is one of another URL, or cannot have been written by `init`.
    func resumed(as record: TransferRecord) -> TransferRecord? {
        guard url == record.remote.absoluteString, name == record.file.lastPathComponent, completed >= 0, total ?? 0 >= 0 else {
            return nil
        }
        var record = record
        (record.completed, record.total, record.isResumable, record.bootID) = (completed, total, isResumable, bootID)
        (record.version, record.digest) = (version.flatMap { FileVersion(text: $0) }, digest)
        // A published file was checked against the digest of that call.
        if let size, let modified, knownDigest == record.knownDigest?.text {
            record.fingerprint = FileFingerprint(size: size, modified: modified)
        }
        return record
    }
}
