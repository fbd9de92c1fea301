import Foundation
import GRDB
import LadingRecords
import SQLiteFiles

/// The reads from the tables of a store, in a transaction.
struct RecordReader<Row: PersistableRow> {
    /// The maximum number of search results that are sorted in memory; for more, the sorted index is scanned.
    private static var sortLimit: Int { 2_000 }
    /// The number of rows that one step of such a scan reads.
    private static var scanBatchSize: Int { 512 }
    /// The columns of a record, in the order in which `slice(of:)` reads them.
    private static var columns: String { "place, id, generation, stored, content" }

    let database: Database

    func records(_ query: RecordQuery, from start: ResultCursor, limit: Int) throws -> RecordSlice<Row> {
        guard limit > 0 else { return RecordSlice() }
        let start = start.bounded
        let words = query.words
        let search = words.isEmpty ? nil : TextSearch(words, in: database)
        let positions =
            switch query.normalized(for: Row.sortKeys).order {
            case .serverOrder: try inServerOrder(search, from: start, limit: limit)
            case .sorted(let key, let isDescending): try sorted(by: key, isDescending, search, from: start, limit: limit)
            case .nearest(let point): try nearest(to: point, search, from: start, limit: limit)
            }
        return try records(at: positions)
    }

    func records(in places: Range<Int>, limit: Int) throws -> RecordSlice<Row> {
        try slice(
            of: GRDB.Row.fetchAll(
                database.cachedStatement(sql: "SELECT \(Self.columns) FROM records WHERE place >= ? AND place < ? ORDER BY place LIMIT ?"),
                arguments: [places.lowerBound, places.upperBound, limit]))
    }

    func record(of id: String) throws -> StoredRecord<Row>? {
        let row = try GRDB.Row.fetchOne(database.cachedStatement(sql: "SELECT \(Self.columns) FROM records WHERE id = ?"), arguments: [id])
        return try row.flatMap { try slice(of: [$0]).records.first }
    }

    func records(of ids: [String]) throws -> RecordSlice<Row> {
        let statement = try database.cachedStatement(sql: "SELECT \(Self.columns) FROM records WHERE id = ?")
        return try slice(of: ids.compactMap { try GRDB.Row.fetchOne(statement, arguments: [$0]) })
    }

    func loadedRanges() throws -> [LoadedRange] {
        try GRDB.Row.fetchAll(database.cachedStatement(sql: "SELECT \(LoadedRange.columns) FROM runs ORDER BY start")).map(LoadedRange.init)
    }

    func count(_ query: RecordQuery) throws -> Int {
        let words = query.words
        switch (query.order, words.isEmpty) {
        case (.nearest, true): return try NearestScan.count(in: database)
        case (.nearest, false):
            return try NearestScan.count(at: TextSearch(words, in: database).places(after: nil, limit: .max), in: database)
        case (_, true): return try RecordCounts(database: database).total()
        case (_, false): return try TextSearch(words, in: database).count()
        }
    }

    // MARK: List order

    private func inServerOrder(_ search: TextSearch?, from start: ResultCursor, limit: Int) throws -> [RecordPosition] {
        let found =
            switch (start, search) {
            case (.first, nil): try places("ORDER BY place", limit)
            case (.after(let position), nil): try places("WHERE place > ? ORDER BY place", position.place, limit)
            case (.before(let position), nil): try Array(places("WHERE place < ? ORDER BY place DESC", position.place, limit).reversed())
            case (.index(let index), nil):
                try RecordCounts(database: database).place(at: index)
                    .map { try places("WHERE place >= ? ORDER BY place", $0, limit) } ?? []
            case (.first, let search?): try search.places(after: nil, limit: limit)
            case (.after(let position), let search?): try search.places(after: position.place, limit: limit)
            case (.before(let position), let search?): try search.places(before: position.place, limit: limit)
            case (.index(let index), let search?):
                try Array(search.places(after: nil, limit: max(0, index) + limit).dropFirst(max(0, index)))
            }
        return found.map { RecordPosition(place: $0) }
    }

    private func places(_ clause: String, _ arguments: Int...) throws -> [Int] {
        try Int.fetchAll(
            database.cachedStatement(sql: "SELECT place FROM records \(clause) LIMIT ?"), arguments: StatementArguments(arguments))
    }

    // MARK: Sorted

    private func sorted(
        by key: RecordSortKey, _ isDescending: Bool, _ search: TextSearch?, from start: ResultCursor, limit: Int
    ) throws -> [RecordPosition] {
        guard let sort = Row.sortKeys.firstIndex(of: key) else { return [] }
        let scan = SortedScan(database: database, sortKeyIndex: sort, isDescending: isDescending)
        guard let search else {
            return switch start {
            case .first: try scan.positions(from: nil, limit: limit)
            case .after(let position): try scan.positions(from: position, limit: limit)
            case .before(let position): try scan.positions(from: position, backwards: true, limit: limit).reversed()
            case .index(let index): try scan.positions(from: nil, skipping: max(0, index), limit: limit)
            }
        }
        let found = try search.places(after: nil, limit: .max)
        if found.count <= Self.sortLimit {
            return try scan.positions(at: found).sorted(by: scan.isOrderedBefore)
                .slice(from: start, limit: limit, by: scan.isOrderedBefore)
        }
        return switch start {
        case .first: try positions(of: scan, in: found, from: nil, limit: limit)
        case .after(let position): try positions(of: scan, in: found, from: position, limit: limit)
        case .before(let position): try positions(of: scan, in: found, from: position, backwards: true, limit: limit).reversed()
        case .index(let index): try Array(positions(of: scan, in: found, from: nil, limit: max(0, index) + limit).dropFirst(max(0, index)))
        }
    }

    /// Scans a sort order and returns the positions that a search has found.
    private func positions(
        of scan: SortedScan, in found: [Int], from position: RecordPosition?, backwards: Bool = false, limit: Int
    ) throws -> [RecordPosition] {
        var (matches, last): ([RecordPosition], RecordPosition?) = ([], position)
        while matches.count < limit {
            let batch = try scan.positions(from: last, backwards: backwards, limit: Self.scanBatchSize)
            matches += batch.filter { found.containsSorted($0.place) }
            guard batch.count == Self.scanBatchSize else { break }
            last = batch.last
        }
        return Array(matches.prefix(limit))
    }

    // MARK: Nearest

    private func nearest(to point: GeographicPoint, _ search: TextSearch?, from start: ResultCursor, limit: Int) throws -> [RecordPosition]
    {
        let scan = NearestScan(database: database, point: point)
        let found = try search?.places(after: nil, limit: .max)
        if let found, try NearestScan.isLookupFaster(for: found.count, limit: start.skippedCount + limit, in: database) {
            let isOrderedBefore = RecordQuery(order: .nearest(point)).isOrderedBefore
            return try scan.matches(at: found).map(RecordPosition.init).sorted(by: isOrderedBefore)
                .slice(from: start, limit: limit, by: isOrderedBefore)
        }
        let isIncluded: (Int) -> Bool = { found?.containsSorted($0) ?? true }
        let matches =
            switch (start, found) {
            case (.first, _): try scan.matches(limit: limit, where: isIncluded)
            case (.after(let position), _): try scan.matches(after: NearestScan.Match(position), limit: limit, where: isIncluded)
            case (.before(let position), _): try scan.matches(before: NearestScan.Match(position), limit: limit, where: isIncluded)
            case (.index(let index), nil): try scan.matches(from: max(0, index), limit: limit)
            case (.index(let index), _?): try Array(scan.matches(limit: max(0, index) + limit, where: isIncluded).dropFirst(max(0, index)))
            }
        return matches.map(RecordPosition.init)
    }

    // MARK: Rows

    private func records(at positions: [RecordPosition]) throws -> RecordSlice<Row> {
        let statement = try database.cachedStatement(sql: "SELECT \(Self.columns) FROM records WHERE place = ?")
        var slice = RecordSlice<Row>()
        for position in positions {
            guard let row = try GRDB.Row.fetchOne(statement, arguments: [position.place]) else { continue }
            let one = try self.slice(of: [row])
            slice.records += one.records.map { record in
                var record = record
                record.position = position
                return record
            }
            slice.unreadable += one.unreadable
        }
        return slice
    }

    /// Decodes rows. A row that cannot be decoded is counted and skipped.
    private func slice(of rows: [GRDB.Row]) throws -> RecordSlice<Row> {
        let changes = try database.cachedStatement(sql: "SELECT name, value FROM changes WHERE id = ?")
        var slice = RecordSlice<Row>()
        for row in rows {
            guard let content = try? Row(encoded: row.checked(4)) else {
                slice.unreadable += 1
                continue
            }
            var record = try StoredRecord(
                content, place: row.checkedNumber(0), generation: row.checkedNumber(2),
                storedAt: Date(timeIntervalSince1970: row.checked(3)).clamped)
            for change in try GRDB.Row.fetchAll(changes, arguments: [row.checked(1, as: String.self)]) {
                record.localChanges[try change.checked(0)] = try change.checked(1, as: Data.self)
            }
            slice.records.append(record)
        }
        return slice
    }
}

extension ResultCursor {
    /// The number of rows that are read before those of the cursor.
    fileprivate var skippedCount: Int {
        guard case .index(let index) = self else { return 0 }
        return max(0, index)
    }

    /// The cursor with an index to which a limit can be added without overflow.
    fileprivate var bounded: ResultCursor {
        guard case .index(let index) = self else { return self }
        return .index(max(0, min(index, Int.max / 2)))
    }
}

extension NearestScan.Match {
    init(_ position: RecordPosition) {
        self.init(distance: 0, place: position.place)
        if case .number(let distance) = position.value { self.distance = distance }
    }
}

extension RecordPosition {
    fileprivate init(_ match: NearestScan.Match) {
        self.init(place: match.place, value: .number(match.distance))
    }
}

extension [Int] {
    /// Whether a sorted array contains a number.
    func containsSorted(_ number: Int) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == number
    }
}

extension [RecordPosition] {
    /// Returns the positions after a cursor in an array sorted by `isOrderedBefore`.
    func slice(from start: ResultCursor, limit: Int, by isOrderedBefore: (RecordPosition, RecordPosition) -> Bool) -> [RecordPosition] {
        switch start {
        case .first: Array(prefix(limit))
        case .after(let position): Array(drop { !isOrderedBefore(position, $0) }.prefix(limit))
        case .before(let position): Array(prefix { isOrderedBefore($0, position) }.suffix(limit))
        case .index(let index): Array(dropFirst(Swift.max(0, index)).prefix(limit))
        }
    }
}
