import Foundation
import GRDB
import SQLiteFiles

/// A search of rows by their text, in list order, that scans the text of all rows.
///
/// An index of words or trigrams cannot find two letters or Chinese text, and slows down writes as rows are added; scanning the text of a million
/// rows takes milliseconds ([decision 14](../../../Docs/Decisions/0014-record-store-indexes.md)).
struct TextSearch {
    private let database: Database
    private let scan: TextScan

    /// - Parameter words: At least one word.
    init(_ words: [[UInt8]], in database: Database) {
        self.database = database
        scan = TextScan(words)
    }

    /// Returns the places of the first matches after a place.
    func places(after place: Int?, limit: Int) throws -> [Int] {
        let from = place.map { TextChunk.number(of: $0) }
        var places: [Int] = []
        try scanChunks("SELECT chunk, content FROM texts WHERE chunk >= ? ORDER BY chunk", from: from ?? .min) { found in
            places += found.filter { found in place.map { found > $0 } ?? true }
            return places.count < limit
        }
        return Array(places.prefix(limit))
    }

    /// Returns the places of the last matches before a place, in list order.
    func places(before place: Int, limit: Int) throws -> [Int] {
        var places: [Int] = []
        try scanChunks("SELECT chunk, content FROM texts WHERE chunk <= ? ORDER BY chunk DESC", from: TextChunk.number(of: place)) {
            found in
            places += found.filter { $0 < place }.reversed()
            return places.count < limit
        }
        return places.prefix(limit).reversed()
    }

    func count() throws -> Int {
        var count = 0
        try scanChunks("SELECT chunk, content FROM texts WHERE chunk >= ? ORDER BY chunk", from: .min) { found in
            count += found.count
            return true
        }
        return count
    }

    /// Passes the matches of each chunk to `body` until it returns false.
    private func scanChunks(_ sql: String, from chunk: Int, body: ([Int]) throws -> Bool) throws {
        let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: [chunk])
        while let row = try rows.next() {
            let slots = try row.withUnsafeData(atIndex: 1) { content in
                content?.withUnsafeBytes { scan.slots(in: $0) } ?? []
            }
            guard !slots.isEmpty else { continue }
            let chunk = try row.checkedNumber(0)
            if try !body(slots.map { TextChunk.place(chunk, $0) }) { return }
        }
    }
}
