import GRDB
import SQLiteFiles

/// The number of rows in each bucket of places, to find a row by its index.
struct RecordCounts {
    /// The binary logarithm of the places in a bucket (1,024).
    private static let shift = 10

    let database: Database

    /// Adds the differences that inserted and removed rows make.
    func add(_ changes: [(place: Int, by: Int)]) throws {
        var sums: [Int: Int] = [:]
        for change in changes { sums[change.place >> Self.shift, default: 0] += change.by }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO anchors VALUES (?, ?) ON CONFLICT (anchor) DO UPDATE SET count = count + excluded.count")
        for (anchor, sum) in sums where sum != 0 { try statement.execute(arguments: [anchor, sum]) }
    }

    /// Counts all rows again.
    func countAll() throws {
        try database.execute(
            sql: "DELETE FROM anchors; INSERT INTO anchors SELECT place >> \(Self.shift), count(*) FROM records GROUP BY 1")
    }

    func total() throws -> Int {
        let total = try Row.fetchOne(database.cachedStatement(sql: "SELECT total(count) FROM anchors"))?.checkedNumber(0) ?? 0
        guard total >= 0 else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return total
    }

    /// Returns the place of the row with an index; nil beyond the last row.
    func place(at index: Int) throws -> Int? {
        var left = max(0, index)
        let counts = try Row.fetchCursor(database.cachedStatement(sql: "SELECT anchor, count FROM anchors ORDER BY anchor"))
        while let row = try counts.next() {
            let count = try row.checkedNumber(1)
            guard left >= count else { return try place(inBucket: row.checked(0), at: left) }
            left -= count
        }
        return nil
    }

    private func place(inBucket anchor: Int, at index: Int) throws -> Int? {
        let statement = try database.cachedStatement(sql: "SELECT place FROM records WHERE place >= ? ORDER BY place LIMIT 1 OFFSET ?")
        return try Int.fetchOne(statement, arguments: [anchor << Self.shift, index])
    }
}
