import Foundation
import GRDB
import LadingOutbox
import SQLiteFiles

/// A copy of the readable rows of a damaged outbox to a new one.
///
/// SQLite reads a table up to the first damaged page. Rows beyond it are read from the other end, and those in between by position.
struct OutboxRecovery {
    /// The maximum number of positions that are read one by one.
    private static let gapLimit: Int64 = 100_000
    /// The valid positions: no outbox has assigned a higher one, and SQLite cannot continue after its own maximum.
    fileprivate static let positions: ClosedRange<Int64> = 1...1 << 53
    private static let tables = [OutboxReceipt.checksums, OutboxEntry.checksums]

    /// Copies all readable rows.
    ///
    /// - Returns: The number of copied entries, which are still to be sent.
    /// - Throws: `DatabaseError` for errors other than damage.
    static func copy(from damaged: URL, to pool: any DatabaseWriter) throws -> Int {
        let source = try opened(damaged)
        defer { try? source?.close() }
        let (entries, receipts) = try source?.inDatabase { (try rows(of: "entries", $0), try rows(of: "receipts", $0)) } ?? ([], [])
        let lastPositions = tables.map { table in source?.inDatabase { lastPosition(in: table.table, $0) } ?? 0 }
        return try pool.write { database in
            _ = try insert(receipts.filter { OutboxReceipt(row: $0) != nil }, OutboxReceipt.checksums, database)
            let count = try insert(entries.filter { OutboxEntry(row: $0) != nil }, OutboxEntry.checksums, database)
            for (table, last) in zip(tables, lastPositions) { try advanceSequence(of: table.table, beyond: last, database) }
            return count
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
    ///
    /// - Returns: The number of inserted rows.
    private static func insert(_ rows: [Row], _ checksums: RowChecksums, _ database: Database) throws -> Int {
        let columns = ["position"] + checksums.columns
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try database.makeStatement(
            sql: "INSERT OR IGNORE INTO \(checksums.table) (\(columns.joined(separator: ", "))) VALUES (\(places))")
        var count = 0
        for row in rows where row.hasValidPosition {
            let values = columns.map { row.value($0, as: DatabaseValue.self) ?? .null }
            do { try statement.execute(arguments: StatementArguments(values)) } catch let error as DatabaseError
                where error.resultCode == .SQLITE_CONSTRAINT
            {
                // A damaged value that violates a constraint, such as a text in a numeric column, loses this row only.
                continue
            }
            guard database.changesCount > 0 else { continue }
            count += 1
            try checksums.update(where: "position = ?", [database.lastInsertedRowID], in: database)
        }
        return count
    }
}

extension Row {
    fileprivate var position: Int64? { value("position") }
    fileprivate var hasValidPosition: Bool { OutboxRecovery.positions.contains(position ?? 0) }
}
