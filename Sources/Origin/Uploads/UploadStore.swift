import Foundation
import NIOCore
import Synchronization

/// The uploaded files of an origin, and those that are on their way, in one directory.
///
/// `files` holds what is whole under its name, `parts` what is not: bytes in `ID.part`, what is known of them in `ID.json`. A file gets its name once
/// it is synced, in one step. How much of an upload is there is the length of its part file; after a new start of the machine, what was synced.
final class UploadStore: Sendable {
    /// How long an upload may take, and how long one that is complete is remembered, in seconds.
    static let age = 7.0 * 86_400
    /// The most uploads that are known at once, unless told otherwise.
    static let uploadLimit = 1_000

    /// The longest file, in bytes.
    let sizeLimit: Int
    private let uploadLimit: Int
    private let files: URL
    private let parts: URL
    private let boot: String?
    private let now: @Sendable () -> Date
    private let records: Mutex<[String: UploadRecord]>
    /// What is removed when the store is: everything, if nothing is to outlive the process.
    private let temporary: URL?

    /// Opens the uploads in a directory, and makes it when it is missing.
    ///
    /// - Parameters:
    ///   - isTemporary: Whether the directory goes when the store does.
    ///   - boot: Tells one start of the machine from the next.
    init(
        in directory: URL, isTemporary: Bool = false, sizeLimit: Int, uploadLimit: Int = UploadStore.uploadLimit, boot: String?,
        now: @escaping @Sendable () -> Date
    ) throws {
        files = directory.appending(path: "files", directoryHint: .isDirectory)
        parts = directory.appending(path: "parts", directoryHint: .isDirectory)
        temporary = isTemporary ? directory : nil
        (self.sizeLimit, self.uploadLimit, self.boot, self.now) = (sizeLimit, uploadLimit, boot, now)
        for folder in [files, parts] { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        records = Mutex(Self.records(in: parts))
        for record in records.withLock({ Array($0.values) }) { try trim(record) }
        sweep()
    }

    deinit { close() }

    /// Removes what is not to outlive the process.
    func close() {
        if let temporary { try? FileManager.default.removeItem(at: temporary) }
    }

    private static func records(in parts: URL) -> [String: UploadRecord] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parts.path)) ?? []
        var records: [String: UploadRecord] = [:]
        for name in names where name.hasSuffix(".json") && UploadRecord.isID(String(name.dropLast(5))) {
            guard let data = try? Data(contentsOf: parts.appending(path: name)),
                let record = try? JSONDecoder().decode(UploadRecord.self, from: data), record.id + ".json" == name
            else { continue }
            records[record.id] = record
        }
        // Bytes of which nothing is known belong to nobody.
        for name in names where !records.keys.contains(where: { name == $0 + ".json" || name == $0 + ".part" }) {
            try? FileManager.default.removeItem(at: parts.appending(path: name))
        }
        return records
    }

    /// Drops what may not have reached the disk before the machine went down.
    private func trim(_ record: UploadRecord) throws {
        guard !record.isComplete, record.boot == nil || record.boot != boot else { return }
        let file = try StoredFile(part(record.id), toAppend: true)
        if file.length > record.safe { try file.truncate(to: record.safe) }
    }

    private func part(_ id: String) -> URL { parts.appending(path: id + ".part", directoryHint: .notDirectory) }
}

// MARK: - Files

extension UploadStore {
    /// A file that is whole; nil when there is none of this name.
    func file(_ name: UploadName) -> StoredFile? {
        try? StoredFile(files.appending(path: name.text, directoryHint: .notDirectory))
    }
}

// MARK: - Uploads

extension UploadStore {
    /// Begins an upload; nil when there are too many.
    func create(_ name: UploadName, length: Int?) throws -> UploadRecord? {
        sweep()
        let record = UploadRecord(
            id: UploadRecord.makeID(), name: name.text, length: length, boot: boot, created: now().timeIntervalSince1970)
        let isTaken = records.withLock { records in
            guard records.count < uploadLimit else { return false }
            records[record.id] = record
            return true
        }
        guard isTaken else { return nil }
        _ = try StoredFile(part(record.id), toAppend: true)
        try save(record)
        try StoredFile.syncFolder(parts)
        return record
    }

    subscript(id: String) -> UploadRecord? { records.withLock { $0[id] } }

    /// How much of an upload is in its file.
    func offset(of record: UploadRecord) throws -> Int {
        if record.isComplete { return record.length ?? record.safe }
        return try StoredFile(part(record.id), toAppend: true).length
    }

    func open(_ record: UploadRecord) throws -> StoredFile { try StoredFile(part(record.id), toAppend: true) }

    /// Makes sure of the bytes up to an offset, and of what else is known.
    func claim(_ record: UploadRecord, _ file: StoredFile, upTo offset: Int) throws {
        try file.sync()
        var record = record
        record.safe = offset
        try save(record)
    }

    /// Gives an upload that is whole and synced its name.
    func publish(_ record: UploadRecord, length: Int) throws {
        var record = record
        (record.isComplete, record.length, record.safe) = (true, length, length)
        try StoredFile.check(rename(part(record.id).path, files.appending(path: record.name, directoryHint: .notDirectory).path))
        try StoredFile.syncFolder(files)
        try save(record)
    }

    func remove(_ id: String) {
        records.withLock { _ = $0.removeValue(forKey: id) }
        for name in [id + ".part", id + ".json"] { try? FileManager.default.removeItem(at: parts.appending(path: name)) }
    }

    /// How long an upload is still known, in seconds.
    func remainingAge(of record: UploadRecord) -> Int {
        max(0, Int(record.created + Self.age - now().timeIntervalSince1970))
    }

    private func sweep() {
        let old = records.withLock { $0.values.filter { remainingAge(of: $0) == 0 }.map(\.id) }
        for id in old { remove(id) }
    }

    private func save(_ record: UploadRecord) throws {
        var record = record
        record.boot = boot
        let (new, name) = (parts.appending(path: record.id + ".new"), parts.appending(path: record.id + ".json"))
        let file = try StoredFile(new, toAppend: true)
        try file.truncate(to: 0)
        try file.append(.init(bytes: JSONEncoder().encode(record)))
        try file.sync()
        try StoredFile.check(rename(new.path, name.path))
        records.withLock { if $0[record.id] != nil { $0[record.id] = record } }
    }
}
