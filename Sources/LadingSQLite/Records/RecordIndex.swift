import Foundation
import GRDB
import LadingRecords

/// The index tables of rows, updated while rows are written. `flush` writes the pending changes.
struct RecordIndex {
    private let database: Database
    /// The changed texts by chunk and slot; empty for a removed row.
    private var texts: [Int: [Int: [UInt8]]] = [:]
    private var counts: [(place: Int, by: Int)] = []

    init(_ database: Database) {
        self.database = database
    }

    /// Indexes a row at an empty place.
    mutating func insert(_ entry: RecordIndexEntry, at place: Int) throws {
        setText(entry.text, at: place)
        try insertKeys(entry.sortValues, at: place)
        try insertLocation(entry.location, at: place)
        counts.append((place, 1))
    }

    /// Indexes the changed row at a place.
    mutating func update(_ description: RecordIndexEntry, at place: Int, from location: GeographicPoint?) throws {
        setText(description.text, at: place)
        try removeKeys(at: place)
        try insertKeys(description.sortValues, at: place)
        guard description.location != location else { return }
        try removeLocation(at: place)
        try insertLocation(description.location, at: place)
    }

    /// Removes the row at a place from the index.
    mutating func remove(_ place: Int) throws {
        setText([], at: place)
        try removeKeys(at: place)
        try removeLocation(at: place)
        counts.append((place, -1))
    }

    /// Writes the pending texts and counts.
    mutating func flush() throws {
        for (chunk, slots) in texts { try updateChunk(chunk, slots) }
        try RecordCounts(database: database).add(counts)
        (texts, counts) = ([:], [])
    }

    // MARK: Texts

    private mutating func setText(_ text: [UInt8], at place: Int) {
        texts[TextChunk.number(of: place), default: [:]][TextChunk.slot(of: place)] = text
    }

    private func updateChunk(_ number: Int, _ slots: [Int: [UInt8]]) throws {
        let read = try database.cachedStatement(sql: "SELECT content FROM texts WHERE chunk = ?")
        let old = try Data.fetchOne(read, arguments: [number])
        var chunk = TextChunk(old.map { [UInt8]($0) } ?? [])
        for (slot, text) in slots { chunk[slot] = text[...] }
        if chunk.isEmpty {
            try database.cachedStatement(sql: "DELETE FROM texts WHERE chunk = ?").execute(arguments: [number])
            return
        }
        let content = Data(chunk.content)
        guard content != old else { return }
        try database.cachedStatement(sql: "INSERT INTO texts VALUES (?, ?) ON CONFLICT (chunk) DO UPDATE SET content = excluded.content")
            .execute(arguments: [number, content])
    }

    // MARK: Sort keys

    private func insertKeys(_ keys: [RecordSortValue?], at place: Int) throws {
        guard !keys.isEmpty else { return }
        let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO keys VALUES (?, ?, ?, ?)")
        for (sort, value) in keys.enumerated() {
            try statement.execute(arguments: [sort, value == nil, value?.databaseValue ?? 0.databaseValue, place])
        }
    }

    private func removeKeys(at place: Int) throws {
        try database.cachedStatement(sql: "DELETE FROM keys WHERE place = ?").execute(arguments: [place])
    }

    // MARK: Locations

    private func insertLocation(_ location: GeographicPoint?, at place: Int) throws {
        guard let vector = location?.unitVector else { return }
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO nearby VALUES (?1, ?2, ?2, ?3, ?3, ?4, ?4)")
            .execute(arguments: [place, vector.x, vector.y, vector.z])
    }

    private func removeLocation(at place: Int) throws {
        try database.cachedStatement(sql: "DELETE FROM nearby WHERE place = ?").execute(arguments: [place])
    }
}
