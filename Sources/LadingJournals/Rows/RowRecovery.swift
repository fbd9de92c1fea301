import Foundation
import GRDB
import SQLiteFiles

/// A copy of the intact rows of a damaged journal to a new one.
///
/// SQLite reads a table up to the first damaged page. Rows beyond it are read from the other end, and those in between by position.
struct RowRecovery {
    /// A table to copy.
    struct Table {
        let checksums: RowChecksums
        /// Whether no position is assigned twice (`AUTOINCREMENT`), not even that of a lost row.
        var isAutoincrement = false
        /// Whether a row has its checksum and can be decoded.
        let isIntact: (Row) -> Bool
    }

    /// The readable rows of a table.
    private struct Content {
        var rows: [Row] = []
        /// The highest position that the table has assigned; 0 if it is unreadable.
        var lastPosition: Int64 = 0
    }

    /// The maximum number of positions that are read one by one.
    private static let gapLimit: Int64 = 100_000
    /// The valid positions: no journal has assigned a higher one, and SQLite cannot continue after its own maximum.
    fileprivate static let positions: ClosedRange<Int64> = 1...1 << 53

    /// Copies all intact rows to a database with the schema.
    ///
    /// - Returns: The rows that were readable, but are not intact.
    /// - Throws: `DatabaseError` for errors other than damage.
    static func copy(_ tables: [Table], from damaged: URL, to draft: DatabaseQueue) throws -> [Row] {
        let source = try opened(damaged)
        defer { try? source?.close() }
        let contents = try tables.map { table in try source?.inDatabase { try content(of: table.checksums.table, $0) } ?? Content() }
        return try draft.write { database in
            for (table, content) in zip(tables, contents) {
                try insert(content.rows.filter(table.isIntact), table.checksums, database)
                if table.isAutoincrement { try advanceSequence(of: table.checksums.table, beyond: content.lastPosition, database) }
            }
            return zip(tables, contents).flatMap { table, content in content.rows.filter { !table.isIntact($0) } }
        }
    }

    /// Opens a damaged file for reading.
    ///
    /// - Returns: nil if the damage prevents opening the file.
    private static func opened(_ file: URL) throws -> DatabaseQueue? {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            return try SQLiteFile.repeatingIfCorrupt {
                try DatabaseQueue(path: file.path(percentEncoded: false), configuration: configuration)
            }
        } catch let error as DatabaseError where error.isCorrupt {
            return nil
        }
    }

    // MARK: Reading

    private static func content(of table: String, _ database: Database) throws -> Content {
        Content(rows: try rows(of: table, database), lastPosition: lastPosition(in: table, database))
    }

    /// Returns the readable rows of a table in the order of their positions.
    private static func rows(of table: String, _ database: Database) throws -> [Row] {
        let first = try readableRows(of: table, "ASC", database)
        if first.isComplete { return first.rows }
        let last = Array(try readableRows(of: table, "DESC", database).rows.reversed())
        let start = first.rows.last { $0.hasValidPosition }?.position ?? 0
        let end = last.first { $0.hasValidPosition }?.position ?? start + gapLimit
        let gap = start + 1..<max(start + 1, min(end, start + gapLimit))
        let between = gap.compactMap { position in
            try? Row.fetchOne(database, sql: "SELECT * FROM \(table) WHERE position = ?", arguments: [position])
        }
        return first.rows + between + last.filter { ($0.position ?? 0) > start }
    }

    /// Returns the rows of a table from one end up to the first unreadable one.
    private static func readableRows(of table: String, _ order: String, _ database: Database) throws -> (rows: [Row], isComplete: Bool) {
        var rows: [Row] = []
        do {
            let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM \(table) ORDER BY position \(order)")
            while let row = try cursor.next() { rows.append(row.copy()) }
            return (rows, true)
        } catch let error as DatabaseError where error.isTransient {
            throw error
        } catch {
            return (rows, false)
        }
    }

    /// Returns the highest position that a table has assigned; 0 if it is unreadable.
    private static func lastPosition(in table: String, _ database: Database) -> Int64 {
        let given = try? Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table])
        let last = try? Int64.fetchOne(database, sql: "SELECT max(position) FROM \(table)")
        return [given, last].compactMap { $0 }.filter { positions.contains($0) }.max() ?? 0
    }

    // MARK: Writing

    /// Continues the sequence of a table after all positions that the damaged file may have assigned, so that none is reused, even for a lost row.
    private static func advanceSequence(of table: String, beyond last: Int64, _ database: Database) throws {
        let known = try Int64.fetchOne(database, sql: "SELECT max(position) FROM \(table)") ?? 0
        try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
        try database.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, max(known, last) + gapLimit])
    }

    /// Inserts intact rows, unless the table has them.
    private static func insert(_ rows: [Row], _ checksums: RowChecksums, _ database: Database) throws {
        let columns = ["position"] + checksums.columns
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try database.makeStatement(
            sql: "INSERT OR IGNORE INTO \(checksums.table) (\(columns.joined(separator: ", "))) VALUES (\(places))")
        for row in rows where row.hasValidPosition {
            let values = columns.map { row.value($0, as: DatabaseValue.self) ?? .null }
            do { try statement.execute(arguments: StatementArguments(values)) } catch let error as DatabaseError
                where error.resultCode == .SQLITE_CONSTRAINT
            {
                // A damaged value that violates a constraint, such as a text in a numeric column, loses this row only.
                continue
            }
            guard database.changesCount > 0 else { continue }
            try checksums.update(where: "position = ?", [database.lastInsertedRowID], in: database)
        }
    }
}

extension Row {
    fileprivate var position: Int64? { value("position") }
    fileprivate var hasValidPosition: Bool { RowRecovery.positions.contains(position ?? 0) }
}
