import Foundation
import GRDB
import LadingHTTP

/// Copies the rows of a damaged outbox that can still be read into a new one.
///
/// SQLite reads a table up to the first damaged page. Rows behind it are found from the other end, and those in between by their positions.
struct OutboxRecovery {
    /// The maximum number of positions that are looked up one by one.
    private static let gapLimit: Int64 = 100_000
    /// The positions that are believed: no outbox has given more, and behind the highest of SQLite there is none.
    private static let positions: ClosedRange<Int64> = 1...1 << 53
    private static let tables = [OutboxReceipt.checksums, OutboxEntry.checksums]

    /// Copies what can be read.
    ///
    /// - Returns: The number of writes that wait to be sent among it.
    /// - Throws: `DatabaseError` when something other than the damage keeps rows from being copied.
    static func copy(from damaged: URL, to pool: any DatabaseWriter) throws -> Int {
        let source = try opened(damaged)
        defer { try? source?.close() }
        let (entries, receipts) = try source?.inDatabase { (try rows(of: "entries", $0), try rows(of: "receipts", $0)) } ?? ([], [])
        let given = tables.map { table in source?.inDatabase { lastPosition(in: table.table, $0) } ?? 0 }
        return try pool.write { database in
            _ = try insert(receipts.filter { OutboxReceipt(row: $0) != nil }, OutboxReceipt.checksums, database)
            let count = try insert(entries.filter { OutboxEntry(row: $0) != nil }, OutboxEntry.checksums, database)
            for (table, last) in zip(tables, given) { try advanceSequence(of: table.table, beyond: last, database) }
            return count
        }
    }

    /// - Returns: nil for a file that SQLite cannot open because of its damage.
    private static func opened(_ file: URL) throws -> DatabaseQueue? {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            return try DatabaseQueue(path: file.path(percentEncoded: false), configuration: configuration)
        } catch let error as DatabaseError where !error.isTransient {
            return nil
        }
    }

    // MARK: Reading

    /// The readable rows of a table, in the order of their positions.
    private static func rows(of table: String, _ database: Database) throws -> [Row] {
        let first = try readableRows(of: table, "ASC", database)
        if first.isComplete { return first.rows }
        let last = Array(try readableRows(of: table, "DESC", database).rows.reversed())
        let start = first.rows.last?.position ?? 0
        let end = last.first?.position ?? start + gapLimit
        let gap = start + 1..<max(start + 1, min(end, start + gapLimit))
        let between = gap.compactMap { position in
            try? Row.fetchOne(database, sql: "SELECT * FROM \(table) WHERE position = ?", arguments: [position])
        }
        return first.rows + between + last.filter { ($0.position ?? 0) > start }
    }

    /// The rows of a table from one end up to the first that cannot be read.
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

    /// The highest position that a table has given, as far as that can be read; 0 when it cannot.
    private static func lastPosition(in table: String, _ database: Database) -> Int64 {
        let given = try? Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table])
        let last = try? Int64.fetchOne(database, sql: "SELECT max(position) FROM \(table)")
        return [given, last].compactMap { $0 }.filter { positions.contains($0) }.max() ?? 0
    }

    // MARK: Writing

    /// Lets a table continue behind all positions that the damaged file may have given: none is given again, even if its row was lost.
    private static func advanceSequence(of table: String, beyond last: Int64, _ database: Database) throws {
        let known = try Int64.fetchOne(database, sql: "SELECT max(position) FROM \(table)") ?? 0
        try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
        try database.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, max(known, last) + gapLimit])
    }

    /// - Returns: The number of rows that were inserted.
    private static func insert(_ rows: [Row], _ checksums: RowChecksums, _ database: Database) throws -> Int {
        let columns = ["position"] + checksums.columns
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try database.makeStatement(
            sql: "INSERT OR IGNORE INTO \(checksums.table) (\(columns.joined(separator: ", "))) VALUES (\(places))")
        var count = 0
        for row in rows where positions.contains(row.position ?? 0) {
            let values = columns.map { row.value($0, as: DatabaseValue.self) ?? .null }
            do { try statement.execute(arguments: StatementArguments(values)) } catch let error as DatabaseError
                where error.resultCode == .SQLITE_CONSTRAINT
            {
                // A damaged value that no row may have, such as a text in the place of a number, costs this row alone.
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
}
