import Foundation
import GRDB
import LadingHTTP

/// Copies the rows of a damaged outbox that can still be read into a new one.
///
/// SQLite reads a table up to the first damaged page. Rows behind it are found from the other end, and those in between by their positions.
struct OutboxRecovery {
    /// The maximum number of positions that are looked up one by one.
    private static let gapLimit: Int64 = 100_000

    private static let entryColumns = [
        "position", "partition", "key", "subject", "method", "url", "headers", "body", "action", "added", "supersedes", "attempts",
        "failure",
    ]
    private static let receiptColumns = [
        "position", "partition", "key", "subject", "fingerprint", "action", "added", "outcome", "reason", "answer", "ended",
    ]

    /// Copies what can be read.
    ///
    /// - Returns: The number of writes that wait to be sent among it.
    static func copy(from damaged: URL, to pool: DatabasePool) throws -> Int {
        guard let source = try? opened(damaged) else { return 0 }
        defer { try? source.close() }
        let (entries, receipts) = source.inDatabase { (rows(of: "entries", $0), rows(of: "receipts", $0)) }
        return try pool.write { database in
            _ = try insert(receipts.filter { OutboxReceipt(row: $0) != nil }, into: "receipts", receiptColumns, database)
            return try insert(entries.filter { OutboxEntry(row: $0) != nil }, into: "entries", entryColumns, database)
        }
    }

    private static func opened(_ file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: file.path(percentEncoded: false), configuration: configuration)
    }

    // MARK: Reading

    /// The readable rows of a table, in the order of their positions.
    private static func rows(of table: String, _ database: Database) -> [Row] {
        let first = readableRows(of: table, "ASC", database)
        if first.isComplete { return first.rows }
        let last = Array(readableRows(of: table, "DESC", database).rows.reversed())
        let start = first.rows.last?.position ?? 0
        let end = last.first?.position ?? start + gapLimit
        let gap = start + 1..<max(start + 1, min(end, start + gapLimit))
        let between = gap.compactMap { position in
            try? Row.fetchOne(database, sql: "SELECT * FROM \(table) WHERE position = ?", arguments: [position])
        }
        return first.rows + between + last.filter { ($0.position ?? 0) > start }
    }

    /// The rows of a table from one end up to the first that cannot be read.
    private static func readableRows(of table: String, _ order: String, _ database: Database) -> (rows: [Row], isComplete: Bool) {
        var rows: [Row] = []
        do {
            let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM \(table) ORDER BY position \(order)")
            while let row = try cursor.next() { rows.append(row.copy()) }
            return (rows, true)
        } catch {
            return (rows, false)
        }
    }

    // MARK: Writing

    /// - Returns: The number of rows that were inserted.
    private static func insert(_ rows: [Row], into table: String, _ columns: [String], _ database: Database) throws -> Int {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try database.makeStatement(
            sql: "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))")
        var count = 0
        for row in rows {
            let values = columns.map { row.value($0, as: DatabaseValue.self) ?? .null }
            do { try statement.execute(arguments: StatementArguments(values)) } catch let error as DatabaseError
                where error.resultCode == .SQLITE_CONSTRAINT
            {
                // A damaged value that no row may have, such as a text in the place of a number, costs this row alone.
                continue
            }
            count += database.changesCount
        }
        return count
    }
}

extension Row {
    fileprivate var position: Int64? { value("position") }
}
