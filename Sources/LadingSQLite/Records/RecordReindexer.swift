import Foundation
import GRDB
import LadingRecords
import SQLiteFiles

/// A rebuild of the indexes of a store whose rows were indexed by another version of `PersistableRow.indexedFields`.
///
/// It works in batches, so that the log stays short; after an interruption it starts again.
struct RecordReindexer<Row: PersistableRow> {
    private static var batchSize: Int { 1_000 }
    private static var versionProperty: String { "description" }

    let pool: any DatabaseWriter

    func reindex() throws {
        let version = RecordIndexEntry.indexVersion(of: Row.self)
        let known = try pool.read { database in
            try String.fetchOne(database, sql: "SELECT value FROM properties WHERE name = ?", arguments: [Self.versionProperty])
        }
        guard known != version else { return }
        try pool.write { database in
            // Until the end the indexes are of no version, so that an earlier release does not use them either.
            try database.execute(sql: "DELETE FROM properties WHERE name = ?", arguments: [Self.versionProperty])
            try database.execute(sql: RecordTables.clearDerived)
        }
        var last = Int?.none
        repeat {
            last = try pool.write { [last] in try reindex(after: last, in: $0) }
        } while last != nil
        try pool.write { database in
            try RecordCounts(database: database).countAll()
            try database.execute(
                sql: "INSERT OR REPLACE INTO properties VALUES (?, ?)", arguments: [Self.versionProperty, version])
        }
    }

    /// Returns the place of the last row of this batch; nil if there was none.
    private func reindex(after last: Int?, in database: Database) throws -> Int? {
        let rows = try GRDB.Row.fetchAll(
            database, sql: "SELECT place, content FROM records WHERE place > ? ORDER BY place LIMIT ?",
            arguments: [last ?? .min, Self.batchSize])
        var index = RecordIndex(database)
        for row in rows {
            // An undecodable row stays stored without an index, because a later release may decode it.
            guard let content = try? Row(encoded: row.checked(1)) else { continue }
            let (description, place) = (RecordIndexEntry(content), try row.checked(0, as: Int.self))
            try index.insert(description, at: place)
            try database.cachedStatement(sql: "UPDATE records SET latitude = ?, longitude = ? WHERE place = ?")
                .execute(arguments: [description.location?.latitude, description.location?.longitude, place])
        }
        try index.flush()
        return try rows.last?.checked(0)
    }
}
