import FileChecksums
package import Foundation
import GRDB
import LadingCaching
import LadingHTTP

/// A verification of stores that does not change them and may run while a program uses them.
package enum StoreCheck {
    /// The maximum number of problems that are listed for one store.
    private static let problemLimit = 20
    /// The number of blocks of a body that are read at once.
    private static let blockCount = 16

    /// Returns the problems of a database as text for users; empty if it is valid.
    package static func problems(inDatabase file: URL) -> [String] { problems(in: file, rows: []) }

    /// Returns the problems of an outbox, including damaged rows.
    package static func problems(inOutbox file: URL) -> [String] {
        problems(in: file, rows: SQLiteOutboxJournal.checksums, SQLiteOutboxJournal.migrator)
    }

    /// Returns the problems of a transfer journal, including damaged rows.
    package static func problems(inTransfers file: URL) -> [String] {
        problems(in: file, rows: [TransferRecord.checksums], SQLiteTransferJournal.migrator)
    }

    /// - Parameter migrator: The migrator of the database, to report unknown migrations; nil accepts all.
    private static func problems(in file: URL, rows: [RowChecksums], _ migrator: DatabaseMigrator? = nil) -> [String] {
        do {
            let found = try structuralProblems(of: file)
            guard found.isEmpty else { return found }
            if let migrator { try SQLiteFile.rejectNewerSchema(of: file, migrator) }
            let damaged = try corruptRows(of: file, rows)
            return try damaged.isEmpty ? changes(of: file) : damaged
        } catch {
            return [text(of: error)]
        }
    }

    /// Returns the problems of the blob store in a directory, including damaged bodies.
    package static func problems(inBodiesOf directory: URL) -> [String] {
        let index = directory.appending(path: BlobStorage.indexName, directoryHint: .notDirectory)
        do {
            let found = try structuralProblems(of: index)
            guard found.isEmpty else { return found }
            let database = try reader(of: index)
            defer { try? database.close() }
            let files = BodyFiles(folder: directory.appending(path: BlobStorage.bodiesName, directoryHint: .isDirectory))
            let suspects = try database.read { try corruptBodies($0, in: files) }
            // A program that uses the store may have removed the body since.
            let versions = try database.read { try Int64.fetchSet($0, sql: "SELECT version FROM blobs") }
            let damaged = suspects.filter { versions.contains($0.version) }.map(\.problem)
            return try damaged.isEmpty ? changes(of: index) : damaged
        } catch {
            return [text(of: error)]
        }
    }

    private static func structuralProblems(of file: URL) throws -> [String] {
        let database = try reader(of: file)
        defer { try? database.close() }
        let found = try database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(\(problemLimit))") }
        return found == ["ok"] ? [] : found
    }

    /// Returns a problem if a closed file has changed since.
    private static func changes(of file: URL) throws -> [String] {
        try ChecksumFile(of: file).isValid() == false ? ["the file has changed since it was closed (checksum mismatch)"] : []
    }

    private static func corruptRows(of file: URL, _ tables: [RowChecksums]) throws -> [String] {
        guard !tables.isEmpty else { return [] }
        let database = try reader(of: file)
        defer { try? database.close() }
        return try database.read { database in
            // A program that was killed before its first migration has created no tables.
            guard try database.tableExists("grdb_migrations") else { return [] }
            return try tables.compactMap { table in
                let count = try table.corruptCount(in: database)
                return count == 0 ? nil : "rows of \(table.table) with a checksum mismatch: \(count)"
            }
        }
    }

    private static func reader(of file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(SQLiteFile.busyTimeout)
        return try DatabaseQueue(path: file.path(percentEncoded: false), configuration: configuration)
    }

    private static func text(of error: any Error) -> String {
        (error as? DatabaseError)?.message ?? error.localizedDescription
    }

    // MARK: Bodies

    private struct Problem {
        let version: Int64
        let problem: String
    }

    private static func corruptBodies(_ database: Database, in files: BodyFiles) throws -> [Problem] {
        let tables = BlobTables(database, salt: try BlobTables.salt(of: database))
        var suspects: [Problem] = []
        try tables.forEachBlob { version, blob in
            guard suspects.count < problemLimit else { return }
            guard let blob else { return suspects.append(Problem(version: version, problem: "checksum mismatch of an entry")) }
            guard try !isValid(blob, in: files, tables) else { return }
            let name = SecretRedaction.standard.redacted(blob.key.group)
            suspects.append(Problem(version: version, problem: "checksum mismatch of the body of \(name)"))
        }
        return suspects
    }

    private static func isValid(_ blob: Blob, in files: BodyFiles, _ tables: BlobTables) throws -> Bool {
        guard let location = try tables.location(of: blob.version), location.length == blob.length,
            location.checksums.count == BodyBlocks.count(of: blob.length)
        else { return false }
        guard let number = location.file else {
            let content = location.content ?? []
            return content.count == blob.length && BodyBlocks.checksums(of: content) == location.checksums
        }
        guard let file = try? RandomAccessFile.openForReading(files.url(of: number)), try file.length == blob.length else { return false }
        for first in stride(from: 0, to: location.checksums.count, by: blockCount) {
            let blocks = first..<min(first + blockCount, location.checksums.count)
            let range = blocks.lowerBound * BodyBlocks.size..<min(blocks.upperBound * BodyBlocks.size, blob.length)
            guard try BodyBlocks.checksums(of: file.read(range)).elementsEqual(location.checksums[blocks]) else { return false }
        }
        return true
    }
}
