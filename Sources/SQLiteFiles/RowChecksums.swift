import FileChecksums
import Foundation
package import GRDB

/// The row checksums of a table, stored in a separate column.
///
/// SQLite detects damage of the structure of a file only: a flipped bit inside a value is another valid value. A row whose values do not match its
/// checksum is damaged. The primary key of the table is the column `position`, which the checksum does not cover: the indexes contain it too, and
/// `integrity_check` compares them.
package struct RowChecksums: Sendable {
    private static let column = "checksum"

    package let table: String
    /// The covered columns, in the order of the checksum.
    package let columns: [String]
    /// The name of the rows in messages; nil for that of the table.
    package var title: String?

    package init(table: String, columns: [String], title: String? = nil) {
        self.table = table
        self.columns = columns
        self.title = title
    }

    /// Adds the column to a table, with checksums of the existing rows.
    package func addColumn(in database: Database) throws {
        try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(Self.column) INTEGER")
        try update(where: "TRUE", in: database)
    }

    /// Updates the checksums of changed rows from their stored values.
    ///
    /// - Parameter condition: The SQL condition that selects the rows.
    package func update(where condition: String, _ arguments: StatementArguments = [], in database: Database) throws {
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(table) WHERE \(condition)", arguments: arguments)
        for row in rows {
            try database.execute(
                sql: "UPDATE \(table) SET \(Self.column) = ? WHERE position = ?",
                arguments: [checksum(of: row), row.value("position", as: Int64.self)])
        }
    }

    /// Whether a row matches its checksum. A row of an earlier release without the column is valid.
    package func isValid(_ row: Row) -> Bool {
        guard row.hasColumn(Self.column) else { return true }
        return row.value(Self.column, as: Int64.self) == checksum(of: row)
    }

    /// Returns the number of damaged rows.
    package func corruptCount(in database: Database) throws -> Int {
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(table)")
        var count = 0
        while let row = try rows.next() {
            if !isValid(row) { count += 1 }
        }
        return count
    }

    /// Removes the damaged rows, and returns them.
    package func removeCorrupt(in database: Database) throws -> [Row] {
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(table)").filter { !isValid($0) }
        for row in rows {
            try database.execute(sql: "DELETE FROM \(table) WHERE position = ?", arguments: [row.value("position", as: Int64.self)])
        }
        return rows
    }

    /// Returns the checksum of a row; each value counts with its type and length.
    private func checksum(of row: Row) -> Int64 {
        var bytes: [UInt8] = []
        for column in columns {
            let (type, content) = Self.parts(of: row.value(column, as: DatabaseValue.self) ?? .null)
            bytes.append(type)
            bytes += Self.bytes(of: UInt64(content.count))
            bytes += content
        }
        return Int64(bitPattern: Checksum.of(bytes))
    }

    private static func parts(of value: DatabaseValue) -> (type: UInt8, content: [UInt8]) {
        switch value.storage {
        case .null: (0, [])
        case .int64(let number): (1, bytes(of: UInt64(bitPattern: number)))
        case .double(let number): (2, bytes(of: number.bitPattern))
        case .string(let text): (3, Array(text.utf8))
        case .blob(let data): (4, Array(data))
        }
    }

    /// Returns the bytes of a number, lowest first.
    private static func bytes(of number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
}
