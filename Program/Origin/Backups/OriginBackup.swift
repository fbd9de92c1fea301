import FileChecksums
package import Foundation
import GRDB
import OrderStorageSQLite
import SQLiteFiles
import ServerStartup

/// Backups of the database of an origin, also while it runs.
///
/// A backup contains orders with their events, people, proofs, deliveries and favourites; it does not contain uploaded files.
package struct OriginBackup {
    /// The errors of a backup. Their text includes a remedy.
    package enum Failure: Error {
        /// The directory has no database.
        case noDatabase(URL)
        case fileExists(URL)
        /// The database or the backup is damaged, of a newer release, or cannot be verified, or a backup has other tables or triggers; nothing
        /// was changed.
        case corrupt(URL, problems: [String])
        /// A database that cannot be read is in use, and cannot be moved.
        case corruptInUse(URL)
        /// Somebody was revoked or signed out during a restore; nothing was changed.
        case accessEnded
        /// The disk of a directory has no room for a copy.
        case diskFull(URL)
        case unavailable(URL, cause: any Error)

        /// Creates the failure to use a file, or to write to its disk.
        fileprivate init(_ error: any Error, of file: URL) {
            self =
                SQLiteFile.isDiskFull(error, at: file)
                ? .diskFull(file.absoluteURL.deletingLastPathComponent()) : .unavailable(file, cause: error)
        }
    }

    /// The outcome of a restore.
    package struct Restoration: Hashable, Sendable {
        /// The file with the replaced content, or the replaced file itself if it could not be read; nil if there was none.
        package let replacedFile: URL?
        /// Whether all people who were revoked since the backup stay revoked.
        package let retainsRevocations: Bool
        /// The number of tokens of people who are not revoked that ended, because the replaced content does not contain them.
        package let endedTokenCount: Int
    }

    /// The number of orders that a server may create between the read of the last id and the replacement of the content.
    private static let ordersMeanwhile = 10_000
    /// The distance from which on the last id of the replaced content is damaged.
    private static let damagedDistance = 1_000_000_000

    private let directory: URL
    private let now: @Sendable () -> Date
    private var file: URL { directory.appending(path: OriginDatabase.fileName) }

    /// - Parameter directory: The data directory.
    package init(of directory: URL, now: @escaping @Sendable () -> Date = { Date() }) {
        self.directory = directory
        self.now = now
    }

    /// Writes a copy of the database to a new file, and verifies it, but not its schema: the operator's own tables, indexes, triggers and
    /// views are copied too.
    ///
    /// - Throws: `Failure`. An incomplete file is removed.
    package func write(to target: URL) throws(Failure) {
        try requireDatabase()
        guard !FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) else { throw .fileExists(target) }
        let source: DatabaseQueue
        do { source = try StoreCheck.reader(of: file) } catch { throw Failure(error, of: file) }
        let draft = Self.draft(of: target)
        defer { Self.remove(draft) }
        do { try Self.copy(source, to: draft) } catch { throw Failure(error, of: target) }
        let problems = Self.problems(in: draft, comparesSchema: false)
        guard problems.isEmpty else { throw .corrupt(file, problems: problems) }
        do { try Self.move(draft, to: target) } catch { throw Failure(error, of: target) }
    }

    private func requireDatabase() throws(Failure) {
        let exists: Bool
        do { exists = try OriginDatabase.exists(in: directory) } catch { throw .unavailable(file, cause: error) }
        guard exists else { throw .noDatabase(directory) }
    }

    /// Verifies a backup, and puts its content in place of that of the database. A new epoch begins, and ids of lost orders are not used again.
    /// Indexes and views that are not of the release are not restored.
    ///
    /// Revocations and removals of tokens since the backup are kept if the replaced database can be read. Sign-in links end. A database
    /// that is too damaged to be opened is moved with its log, unless it is in use.
    ///
    /// - Throws: `Failure`, a `DirectoryLock.Failure`, or an `OriginError` of the database. Nothing has changed then, but a copy of the
    ///   content may have been made.
    package func restore(_ backup: URL) throws -> Restoration {
        let draft = directory.appending(path: "\(OriginDatabase.fileName)-restore")
        let lock = try DirectoryLock.tryLock(of: directory, fileName: LocalDatabase.lockName)
        defer {
            lock?.release()
            Self.remove(draft)
        }
        try prepare(backup, at: draft)
        let existed = FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
        let database: OriginDatabase
        do throws(OriginError) { database = try openDatabase(isOwner: lock != nil) } catch {
            guard error.isCorrupt else { throw error }
            guard lock != nil else { throw Failure.corruptInUse(file) }
            return try replaceFile(with: draft)
        }
        do {
            let replaced = existed ? freeName : nil
            let source = try DatabaseQueue(path: draft.path(percentEncoded: false))
            // A damaged database may be opened and not be readable: the backup replaces it all the same.
            let record = try? database.writer.read { try RevocationRecord(of: $0) }
            let application = try source.write { try record?.apply(to: $0) }
            try Self.skipOrders(of: database, in: source)
            try replaceContent(of: database, with: source, copyingTo: replaced, appliedRecord: record)
            try source.close()
            if lock == nil { try database.closeBesideOwner() } else { try database.close() }
            return Restoration(
                replacedFile: replaced, retainsRevocations: application?.isComplete ?? false,
                endedTokenCount: application?.endedTokenCount ?? 0)
        } catch {
            try? database.closeBesideOwner()
            throw error as? Failure ?? Failure(error, of: file)
        }
    }

    private func openDatabase(isOwner: Bool) throws(OriginError) -> OriginDatabase {
        do throws(OriginError) { return try OriginDatabase(in: directory, isOwner: isOwner) } catch {
            // SQLite also reports a failed read of the disk as damage.
            guard error.isCorrupt else { throw error }
            return try OriginDatabase(in: directory, isOwner: isOwner)
        }
    }

    /// Begins another epoch in a restored backup, after the last order of the database that it replaces: more orders than seconds may have followed
    /// an earlier restore.
    private static func skipOrders(of replaced: OriginDatabase, in source: DatabaseQueue) throws {
        guard let last = try? replaced.writer.read({ try SQLiteOrderStore.lastOrderID(in: $0) }) else { return }
        try source.write { database in
            let distance = try last.subtractingReportingOverflow(SQLiteOrderStore.lastOrderID(in: database)).partialValue
            guard distance > -Self.ordersMeanwhile, distance < Self.damagedDistance else { return }
            try SQLiteOrderStore.beginEpochAfterLoss(above: last + Self.ordersMeanwhile, in: database)
        }
    }

    /// Gives a closed file the name of the database, which gets another one with its log.
    private func replaceFile(with draft: URL) throws -> Restoration {
        let replaced = freeName
        let (path, name) = (file.path(percentEncoded: false), replaced.path(percentEncoded: false))
        ChecksumFile(of: file).remove()
        do {
            // Without a database, even for a moment, a server that starts would make a new one. Some file systems have no hard links.
            if link(path, name) != 0 { try StoredFile.check(rename(path, name)) }
            for ending in Self.logEndings {
                do { try StoredFile.check(rename(path + ending, name + ending)) } catch POSIXError.ENOENT {}
            }
            try StoredFile(draft, for: .appending).sync()
            try Self.move(draft, to: file)
        } catch {
            for ending in Self.logEndings { _ = rename(name + ending, path + ending) }
            // Of two links to one file none is renamed.
            if rename(name, path) == 0 { _ = unlink(name) }
            throw Failure(error, of: file)
        }
        try? ChecksumFile(of: file).write()
        return Restoration(replacedFile: replaced, retainsRevocations: false, endedTokenCount: 0)
    }

    private static let logEndings = ["-wal", "-shm"]

    /// Replaces the content of a database in one transaction, after a copy of it was made.
    ///
    /// The first step of the replacement excludes other writers until its end, so that the copy contains all writes that were confirmed before.
    ///
    /// - Throws: `Failure.accessEnded` if access has ended since the record was read that was applied to the source.
    func replaceContent(
        of database: OriginDatabase, with source: DatabaseQueue, copyingTo replaced: URL?, appliedRecord record: RevocationRecord?
    ) throws {
        let pageCount = try source.read { try CInt.fetchOne($0, sql: "PRAGMA page_count") } ?? 0
        var isCopied = replaced == nil
        // The first of several steps, after which nothing is committed yet.
        try source.backup(to: database.writer, pagesPerStep: max(1, pageCount / 2)) { [file] _ in
            guard let replaced, !isCopied else { return }
            // Other connections still read the previous content.
            let previous = try StoreCheck.reader(of: file)
            if let record, try !record.isCurrent(at: previous.read(RevocationRecord.init(of:))) { throw Failure.accessEnded }
            let draft = replaced.appendingPathExtension("part")
            defer { Self.remove(draft) }
            try Self.copy(previous, to: draft)
            try Self.move(draft, to: replaced)
            isCopied = true
        }
    }

    /// Verifies a backup, and copies it; migrates the copy without its views, compares its schema, removes additional indexes, and begins an epoch.
    private func prepare(_ backup: URL, at draft: URL) throws {
        let problems = Self.problems(in: backup, comparesSchema: true)
        guard problems.isEmpty else { throw Failure.corrupt(backup, problems: problems) }
        let source: DatabaseQueue
        do { source = try StoreCheck.reader(of: backup) } catch { throw Failure(error, of: backup) }
        do {
            try Self.copy(source, to: draft)
            let database = try DatabaseQueue(path: draft.path(percentEncoded: false))
            try database.write { try OriginSchema.removeViews(in: $0) }
            try OriginDatabase.migrator().migrate(database)
            // Before the migration the tables of an earlier release cannot be compared.
            let schemaProblems = try database.read { try OriginSchema.problems(in: $0) }
            guard schemaProblems.isEmpty else { throw Failure.corrupt(backup, problems: schemaProblems) }
            let seconds = Int(now().timeIntervalSince1970)
            try database.write { database in
                try OriginSchema.removeAdditionalIndexes(in: database)
                try SQLiteOrderStore.beginEpochAfterLoss(above: seconds, in: database)
            }
            try database.close()
        } catch {
            throw error as? Failure ?? Failure(error, of: draft)
        }
    }

    /// A file name that is not used: `origin.sqlite-replaced-1`.
    private var freeName: URL {
        let names = (1...).lazy.map { directory.appending(path: "\(OriginDatabase.fileName)-replaced-\($0)") }
        return names.first { !FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) } ?? file
    }

    /// Copies a database to a new file, durably.
    private static func copy(_ source: some DatabaseReader, to target: URL) throws {
        try createFile(target)
        let copy = try DatabaseQueue(path: target.path(percentEncoded: false))
        try source.backup(to: copy)
        // A single file without a log can be moved and copied.
        try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try copy.close()
        try StoredFile(target, for: .appending).sync()
    }

    /// Creates an empty file that only its owner can read, in place of one of an interrupted copy or of somebody else.
    private static func createFile(_ file: URL) throws {
        remove(file)
        close(try StoredFile.check(open(file.path(percentEncoded: false), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)))
    }

    /// Gives a synced file its name, durably where the file system supports it. If this fails, no file has the name.
    private static func move(_ draft: URL, to target: URL) throws {
        try StoredFile.check(rename(draft.path(percentEncoded: false), target.path(percentEncoded: false)))
        do { try StoredFile.syncDirectory(target.absoluteURL.deletingLastPathComponent()) } catch POSIXError.EINVAL {} catch {
            remove(target)
            throw error
        }
    }

    /// Removes the incomplete copy of an interrupted `write(to:)`.
    package static func removeDraft(of target: URL) { remove(draft(of: target)) }

    private static func draft(of target: URL) -> URL { target.appendingPathExtension("part") }

    private static func remove(_ file: URL) {
        for suffix in ["", "-wal", "-shm", "-journal"] { _ = unlink(file.path(percentEncoded: false) + suffix) }
    }

    /// Returns the reasons why a database of an origin must not be used; empty if none was found.
    private static func problems(in file: URL, comparesSchema: Bool) -> [String] {
        let report = OriginCheck.report(on: file, requiresTables: true, comparesSchema: comparesSchema)
        return report.problems + [report.obstacle].compactMap { $0 }
    }
}

extension OriginBackup.Failure: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .noDatabase(let directory): "\(directory.path) has no orders: choose another directory with --data."
        case .fileExists(let file): "\(file.path) exists already: choose another name, or remove it first."
        case .corrupt(let file, let problems):
            "\(file.path) cannot be used, and nothing was changed: \(problems.joined(separator: "; "))."
        case .corruptInUse(let file): "\(file.path) is damaged and in use, and nothing was changed: stop the server, and restore again."
        case .accessEnded: "Somebody was revoked or signed out meanwhile: nothing was changed; restore again."
        case .diskFull(let directory): "The disk of \(directory.path) is full: free up space, or choose another one."
        case .unavailable(let file, let cause):
            "Cannot use \(file.path) (\(StoreCheck.text(of: cause))): \(Self.remedy(for: cause))."
        }
    }

    private static func remedy(for cause: any Error) -> String {
        switch (cause as? DatabaseError)?.resultCode {
        case .SQLITE_BUSY?, .SQLITE_LOCKED?: "try again when no other program uses it"
        default: "check that its folder exists, and the permissions of both"
        }
    }
}
