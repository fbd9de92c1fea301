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
    private static let changeProblem = "the file has changed since it was closed (checksum mismatch)"

    /// The result of a verification.
    package struct Report: Hashable, Sendable {
        /// The problems as text for users; empty if none was found.
        package var problems: [String] = []
        /// Whether only the structure was verified, because no checksum covers the values.
        package var isStructureOnly = false
    }

    /// Verifies a database, and its values if it was closed.
    package static func report(onDatabase file: URL) -> Report { report(on: file, rows: []) }

    /// Returns the problems of a database as text for users; empty if none was found.
    package static func problems(inDatabase file: URL) -> [String] { report(onDatabase: file).problems }

    /// Returns the problems of an outbox, including damaged rows.
    package static func problems(inOutbox file: URL) -> [String] {
        report(on: file, rows: SQLiteOutboxJournal.checksums, SQLiteOutboxJournal.migrator).problems
    }

    /// Returns the problems of a transfer journal, including damaged rows.
    package static func problems(inTransfers file: URL) -> [String] {
        report(on: file, rows: [TransferRecord.checksums, TransferCommand.checksums], SQLiteTransferJournal.migrator).problems
    }

    /// Reports the first check that finds problems: of the structure, the schema, the rows, and the file as a whole.
    ///
    /// - Parameters:
    ///   - rows: The checksums of the tables whose rows are checked.
    ///   - migrator: The migrator of the database, to report unknown migrations; nil accepts all.
    private static func report(on file: URL, rows: [RowChecksums], _ migrator: DatabaseMigrator? = nil) -> Report {
        do {
            let integrityProblems = try integrityProblems(of: file)
            guard integrityProblems.isEmpty else { return Report(problems: integrityProblems) }
            if let migrator { try SQLiteFile.rejectNewerSchema(of: file, migrator) }
            let rowProblems = try rowProblems(of: file, rows)
            guard rowProblems.isEmpty else { return Report(problems: rowProblems) }
            guard let isUnchanged = try ChecksumFile(of: file).isValid() else { return Report(isStructureOnly: rows.isEmpty) }
            return Report(problems: isUnchanged ? [] : [changeProblem])
        } catch {
            return Report(problems: [text(of: error)])
        }
    }

    /// Returns the problems of the blob store in a directory, including damaged bodies.
    package static func problems(inBodiesOf directory: URL) -> [String] {
        let index = directory.appending(path: BlobStorage.indexName, directoryHint: .notDirectory)
        do {
            let integrityProblems = try integrityProblems(of: index)
            guard integrityProblems.isEmpty else { return integrityProblems }
            let database = try reader(of: index)
            defer { try? database.close() }
            let files = BodyFiles(folder: directory.appending(path: BlobStorage.bodiesName, directoryHint: .isDirectory))
            let found = try database.read { try bodyProblems($0, in: files) }
            // A program that uses the store may have removed a body after its entry was read: that is no damage.
            let versions = try database.read { try Int64.fetchSet($0, sql: "SELECT version FROM blobs") }
            let damaged = found.filter { versions.contains($0.version) }.map(\.text)
            return try damaged.isEmpty && ChecksumFile(of: index).isValid() == false ? [changeProblem] : damaged
        } catch {
            return [text(of: error)]
        }
    }

    /// Returns the problems that SQLite finds in the structure of a database.
    private static func integrityProblems(of file: URL) throws -> [String] {
        let database = try reader(of: file)
        defer { try? database.close() }
        let found = try database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(\(problemLimit))") }
        return found == ["ok"] ? [] : found
    }

    /// Returns one problem for each table with damaged rows.
    private static func rowProblems(of file: URL, _ tables: [RowChecksums]) throws -> [String] {
        guard !tables.isEmpty else { return [] }
        let database = try reader(of: file)
        defer { try? database.close() }
        return try database.read { database in
            // A program that was killed before its first migration has created no tables.
            guard try database.tableExists("grdb_migrations") else { return [] }
            return try tables.compactMap { table in
                let count = try table.corruptCount(in: database)
                return count == 0 ? nil : "rows of \(table.title ?? table.table) with a checksum mismatch: \(count)"
            }
        }
    }

    /// Opens a database without write access.
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

    /// A problem of a stored body.
    private struct BodyProblem {
        /// The version by which the index identifies the body.
        let version: Int64
        let text: String
    }

    /// Returns the problems of at most `problemLimit` bodies.
    private static func bodyProblems(_ database: Database, in files: BodyFiles) throws -> [BodyProblem] {
        let tables = BlobTables(database, salt: try BlobTables.salt(of: database))
        var problems: [BodyProblem] = []
        try tables.forEachBlob { version, blob in
            guard problems.count < problemLimit else { return }
            guard let blob else { return problems.append(BodyProblem(version: version, text: "checksum mismatch of an entry")) }
            guard try !isValid(blob, in: files, tables) else { return }
            let name = SecretRedaction.standard.redacted(blob.key.group)
            problems.append(BodyProblem(version: version, text: "checksum mismatch of the body of \(name)"))
        }
        return problems
    }

    /// Whether the content of a body, in the index or in a file, has its recorded length and checksums.
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
