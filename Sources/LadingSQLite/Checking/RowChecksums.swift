import FileChecksums
import Foundation
import GRDB

/// The checksums of the rows of a table, in a column of their own.
///
/// SQLite finds damage in the structure of a file only: a bit that changed inside of a value is a value to it. A row whose values do not have the checksum of
/// the row is damaged. The table has a column `position` as its primary key, which the checksum does not cover: it is the key of the indexes, too, and
/// `integrity_check` compares these.
struct RowChecksums: Sendable {
    private static let column = "checksum"

    let table: String
    /// The columns that are covered, in the order in which they count.
    let columns: [String]

    /// Adds the column to a table, with the checksums of the rows that are there.
    func addColumn(in database: Database) throws {
        try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(Self.column) INTEGER")
        try update(where: "TRUE", in: database)
    }

    /// Writes the checksums of rows that have changed, from what is stored of them.
    ///
    /// - Parameter condition: The rows, in SQL.
    func update(where condition: String, _ arguments: StatementArguments = [], in database: Database) throws {
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(table) WHERE \(condition)", arguments: arguments)
        for row in rows {
            try database.execute(
                sql: "UPDATE \(table) SET \(Self.column) = ? WHERE position = ?",
                arguments: [checksum(of: row), row.value("position", as: Int64.self)])
        }
    }

    /// Whether a row is what was written. One of an earlier release, without such a column, counts as that.
    func isValid(_ row: Row) -> Bool {
        guard row.hasColumn(Self.column) else { return true }
        return row.value(Self.column, as: Int64.self) == checksum(of: row)
    }

    /// Returns the number of rows that are not what was written.
    func damagedCount(in database: Database) throws -> Int { try damagedPositions(in: database).count }

    /// Removes the rows that are not what was written.
    func removeDamaged(in database: Database) throws {
        for position in try damagedPositions(in: database) {
            try database.execute(sql: "DELETE FROM \(table) WHERE position = ?", arguments: [position])
        }
    }

    private func damagedPositions(in database: Database) throws -> [Int64?] {
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(table)")
        var positions: [Int64?] = []
        while let row = try rows.next() {
            if !isValid(row) { positions.append(row.value("position")) }
        }
        return positions
    }

    /// Each value counts with its type and its length.
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

    /// The lowest byte first.
    private static func bytes(of number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
}
