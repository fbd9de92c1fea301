import ErrorDescriptions
import FileChecksums
package import Foundation
package import GRDB

/// A verification of stores that does not change them and may run while a program uses them.
package enum StoreCheck {
    /// The maximum number of problems that are listed for one store.
    package static let problemLimit = 20
    package static let changeProblem = "the file has changed since it was closed (checksum mismatch)"

    /// The errors that say nothing about the content of a file, such as those of a lock, a full disk or missing permissions.
    private static let obstacles: [ResultCode] = [
        .SQLITE_AUTH, .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_FULL, .SQLITE_INTERRUPT, .SQLITE_IOERR, .SQLITE_LOCKED, .SQLITE_NOLFS,
        .SQLITE_NOMEM, .SQLITE_PERM, .SQLITE_PROTOCOL, .SQLITE_READONLY,
    ]

    /// The result of a verification.
    package struct Report: Hashable, Sendable {
        /// The problems as text for users; empty if none was found.
        package var problems: [String] = []
        /// The reason as text for users why the store could not be verified; nil if it was.
        package var obstacle: String?
        /// Whether only the structure was verified, because no checksum covers the values.
        package var isStructureOnly = false

        package init(problems: [String] = [], obstacle: String? = nil, isStructureOnly: Bool = false) {
            self.problems = problems
            self.obstacle = obstacle
            self.isStructureOnly = isStructureOnly
        }

        /// Creates the report of an error that ended a verification.
        package init(_ error: any Error) {
            let text = StoreCheck.text(of: error)
            if StoreCheck.isDamage(error) { self.init(problems: [text]) } else { self.init(obstacle: text) }
        }
    }

    /// Verifies a database, and its values if it was closed.
    package static func report(onDatabase file: URL) -> Report { report(on: file, rows: []) }

    /// Reports the first check that finds problems: of the structure, the schema, the rows, and the file as a whole.
    ///
    /// - Parameters:
    ///   - rows: The checksums of the tables whose rows are checked.
    ///   - migrator: The migrator of the database, to report unknown migrations; nil accepts all.
    package static func report(on file: URL, rows: [RowChecksums], _ migrator: DatabaseMigrator? = nil) -> Report {
        do {
            let integrityProblems = try integrityProblems(of: file)
            guard integrityProblems.isEmpty else { return Report(problems: integrityProblems) }
            if let migrator { try SQLiteFile.checkSchemaVersion(of: file, migrator) }
            let rowProblems = try rowProblems(of: file, rows)
            guard rowProblems.isEmpty else { return Report(problems: rowProblems) }
            guard let isUnchanged = try ChecksumFile(of: file).isValid() else { return Report(isStructureOnly: rows.isEmpty) }
            return Report(problems: isUnchanged ? [] : [changeProblem])
        } catch {
            return Report(error)
        }
    }

    /// Returns the problems that SQLite finds in the structure of a database.
    package static func integrityProblems(of file: URL) throws -> [String] {
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
    ///
    /// Without space for the files beside it, or permission to create them, a closed one is read all the same.
    package static func reader(of file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(SQLiteFile.busyTimeout)
        do {
            return try DatabaseQueue(path: file.path(percentEncoded: false), configuration: configuration)
        } catch let error as DatabaseError where [.SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error.resultCode) {
            guard SQLiteFile.logLength(of: file) == 0 else { throw error }
            // SQLite then needs neither a log nor its index (https://sqlite.org/uri.html#uriimmutable).
            guard let reader = try? DatabaseQueue(path: file.absoluteString + "?immutable=1", configuration: configuration) else {
                throw error
            }
            return reader
        }
    }

    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError:
            !obstacles.contains(error.resultCode) || error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
        case is SQLiteFileError, is POSIXError, is CocoaError: false
        default: true
        }
    }

    package static func text(of error: any Error) -> String { error.plainDescription ?? error.localizedDescription }
}
