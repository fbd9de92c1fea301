import Foundation
import GRDB
import SQLiteFiles

// MARK: - Rows outside of pages

extension RecordWriter {
    /// Stores rows by identity: an existing row at its place, others after the last place.
    mutating func put(_ entries: [EncodedRecord], at time: Date) throws {
        let newest = try Int.fetchOne(database, sql: "SELECT max(generation) FROM runs") ?? 0
        let find = try database.cachedStatement(sql: "SELECT place, generation FROM records WHERE id = ?")
        var free = try nextFreePlace()
        for entry in entries {
            if let known = try GRDB.Row.fetchOne(find, arguments: [entry.id]) {
                let info = try WriteInfo(generation: known.checked(1), stored: time.timeIntervalSince1970)
                try update(entry, at: known.checked(0), info)
            } else {
                try insert(entry, at: free, WriteInfo(generation: newest, stored: time.timeIntervalSince1970))
                free += 1
            }
        }
        try index.flush()
    }

    mutating func remove(_ ids: [String]) throws {
        let find = try database.cachedStatement(sql: "SELECT place FROM records WHERE id = ?")
        for id in ids {
            if let place = try Int.fetchOne(find, arguments: [id]) { try remove(place) }
        }
        try index.flush()
    }

    /// Removes the oldest rows until the content of the others has at most `limit` bytes.
    ///
    /// - Returns: Whether any row was removed.
    mutating func trim(toBytes limit: Int) throws -> Bool {
        guard try Int.fetchOne(database, sql: "SELECT sum(length(content)) FROM records") ?? 0 > limit else { return false }
        let rows = try GRDB.Row.fetchCursor(
            database, sql: "SELECT place, length(content) FROM records ORDER BY stored DESC, place DESC")
        var (size, removed): (Int, [Int]) = (0, [])
        while let row = try rows.next() {
            size += try row.checked(1, as: Int.self)
            if size > limit { removed.append(try row.checked(0)) }
        }
        for place in removed { try remove(place) }
        try index.flush()
        return !removed.isEmpty
    }

    /// Returns the first place after all rows and loaded ranges.
    private func nextFreePlace() throws -> Int {
        let last = "SELECT max(place) + 1 FROM records"
        let sql = "SELECT max(coalesce((\(last)), 0), coalesce((SELECT max(stop) FROM runs), 0))"
        return try GRDB.Row.fetchOne(database, sql: sql)?.checkedNumber(0) ?? 0
    }
}
