import Foundation
import GRDB
import LadingRecords
import SQLiteFiles
import TextComparison

/// The writes to the tables of a store, in a transaction.
struct RecordWriter<Row: PersistableRow> {
    let database: Database
    var index: RecordIndex
    /// The change to send to subscribers after the commit.
    private(set) var change = RecordChange<Row.ID>()

    init(_ database: Database) {
        self.database = database
        index = RecordIndex(database)
    }

    /// Stores the rows of a page, unless a newer refresh has stored rows.
    ///
    /// - Parameter entries: The encoded rows of the page.
    mutating func store(_ page: RecordPage<Row>, _ entries: [EncodedRecord], at time: Date) throws -> WriteResult {
        let newest = try Int.fetchOne(database, sql: "SELECT max(generation) FROM runs") ?? 0
        guard page.generation >= newest else { return .stale }
        let placement = try placement(of: page, entries)
        let info = WriteInfo(generation: page.generation, stored: time.timeIntervalSince1970)

        for place in placement.removed { try remove(place) }
        for write in placement.updated { try update(entries[write.index], at: write.place, info) }
        for write in placement.inserted { try insert(entries[write.index], at: write.place, info) }
        try index.flush()
        if page.isEnd { try removeAll(from: page.places.upperBound) }
        try addLoadedRange(page.loadedRange)
        recordChange(of: page, placement)
        return .stored
    }

    struct WriteInfo {
        var generation: Int
        var stored: Double
    }

    private func placement(of page: RecordPage<Row>, _ entries: [EncodedRecord]) throws -> RecordPlacement {
        let (first, last) = (page.places.lowerBound, page.places.upperBound)
        let occupied = try Int.fetchSet(
            database.cachedStatement(sql: "SELECT place FROM records WHERE place >= ? AND place < ?"), arguments: [first, last])
        let find = try database.cachedStatement(sql: "SELECT place, generation FROM records WHERE id = ?")
        var known: [BytewiseText: RecordPlacement.ExistingRow] = [:]
        for entry in entries {
            guard let row = try GRDB.Row.fetchOne(find, arguments: [entry.id]) else { continue }
            known[BytewiseText(entry.id)] = try RecordPlacement.ExistingRow(
                place: row.checkedNumber(0), generation: row.checkedNumber(1))
        }
        return RecordPlacement(
            entries.map(\.id), in: page.places, generation: page.generation, isEnd: page.isEnd, occupied: occupied, existing: known)
    }

    // MARK: Rows

    mutating func remove(_ place: Int) throws {
        try database.cachedStatement(sql: "DELETE FROM records WHERE place = ?").execute(arguments: [place])
        try index.remove(place)
    }

    mutating func insert(_ entry: EncodedRecord, at place: Int, _ stamp: WriteInfo) throws {
        let location = entry.indexEntry.location
        try database.cachedStatement(sql: "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)").execute(arguments: [
            place, entry.id, stamp.generation, stamp.stored, location?.latitude, location?.longitude, entry.content,
        ])
        try index.insert(entry.indexEntry, at: place)
    }

    /// Updates a row. An unchanged row, the usual case, is not reindexed.
    mutating func update(_ entry: EncodedRecord, at place: Int, _ stamp: WriteInfo) throws {
        let old = try GRDB.Row.fetchOne(
            database.cachedStatement(sql: "SELECT content, latitude, longitude FROM records WHERE place = ?"), arguments: [place])
        let location = entry.indexEntry.location
        try database.cachedStatement(
            sql: "UPDATE records SET generation = ?, stored = ?, latitude = ?, longitude = ?, content = ? WHERE place = ?"
        ).execute(arguments: [stamp.generation, stamp.stored, location?.latitude, location?.longitude, entry.content, place])
        guard let old, try old.checked(0) != entry.content else { return }
        try index.update(entry.indexEntry, at: place, from: GeographicPoint(old, from: 1))
    }

    /// Removes all rows from a place on.
    private mutating func removeAll(from place: Int) throws {
        let statement = try database.cachedStatement(sql: "SELECT place FROM records WHERE place >= ? LIMIT 1000")
        while case let places = try Int.fetchAll(statement, arguments: [place]), !places.isEmpty {
            for place in places { try remove(place) }
            try index.flush()
            change.isListChanged = true
        }
    }

    // MARK: Loaded ranges

    /// Adds a page to the loaded ranges. It reads only the ranges at the page, because jumps can create many.
    private func addLoadedRange(_ page: LoadedRange) throws {
        let last = page.isEnd ? Int.max : page.places.upperBound
        let rows = try GRDB.Row.fetchAll(
            database, sql: "SELECT \(LoadedRange.columns) FROM runs WHERE stop >= ? AND start <= ?",
            arguments: [page.places.lowerBound, last])
        var ranges = try LoadedRangeSet(rows.map(LoadedRange.init))
        ranges.add(page)
        for row in rows { try database.execute(sql: "DELETE FROM runs WHERE start = ?", arguments: [row.checked(0, as: Int.self)]) }
        for run in ranges.ranges {
            try database.execute(
                sql: "INSERT INTO runs (\(LoadedRange.columns)) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    run.places.lowerBound, run.places.upperBound, run.generation, run.previous?.description, run.next?.description,
                    run.isEnd,
                ])
        }
    }

    private mutating func recordChange(of page: RecordPage<Row>, _ placement: RecordPlacement) {
        var summary = RecordChange<Row.ID>()
        summary.isListChanged = true
        let touched = placement.removed.union((placement.updated + placement.inserted).map(\.place))
        if let first = touched.min(), let last = touched.max() { summary.places = first...last }
        summary.rows = Set(page.rows.map(\.id))
        change.add(summary)
    }
}

extension LoadedRange {
    /// The columns of the table `runs`, in the order in which `init(_:)` reads them.
    static let columns = "start, stop, generation, previous, next, isEnd"

    init(_ row: Row) throws {
        let start = try row.checkedNumber(0)
        self.init(
            places: start..<max(start, try row.checkedNumber(1)), generation: try row.checkedNumber(2),
            previous: try row.checkedIfPresent(3, as: String.self).flatMap { PageKey($0) },
            next: try row.checkedIfPresent(4, as: String.self).flatMap { PageKey($0) }, isEnd: try row.checked(5))
    }
}

extension GeographicPoint {
    /// Reads two adjacent columns; returns nil if they are empty.
    init?(_ row: Row, from column: Int) throws {
        guard let latitude = try row.checkedIfPresent(column, as: Double.self),
            let longitude = try row.checkedIfPresent(column + 1, as: Double.self)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
