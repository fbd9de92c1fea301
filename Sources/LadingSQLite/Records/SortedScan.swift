import GRDB
import LadingFeeds

/// A scan of rows in the order of a sort key: rows with a value first in both directions, then rows without.
struct SortedScan {
    let database: Database
    /// The index of the key in the row's `sortKeys`.
    let sortKeyIndex: Int
    let isDescending: Bool

    /// Returns the positions after another one, or before it, nearest first.
    ///
    /// - Parameter skipping: The number of positions to skip.
    func positions(from position: RecordPosition?, backwards: Bool = false, skipping: Int = 0, limit: Int) throws -> [RecordPosition] {
        var positions: [RecordPosition] = []
        var skipping = skipping
        for isMissing in backwards ? [true, false] : [false, true] where positions.count < limit {
            let isCurrentPart = position.map { ($0.value == nil) == isMissing }
            if isCurrentPart == false, isExhausted(isMissing, position, backwards) { continue }
            positions += try fetchPositions(
                isMissing, from: isCurrentPart == true ? position : nil, backwards: backwards, skipping: skipping,
                limit: limit - positions.count)
            if skipping > 0, positions.isEmpty { skipping = max(0, skipping - (try count(isMissing))) } else { skipping = 0 }
        }
        return positions
    }

    func count(_ isMissing: Bool) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM keys WHERE sort = ? AND isMissing = ?"),
            arguments: [sortKeyIndex, isMissing]) ?? 0
    }

    /// Returns the positions of the rows at some places, unordered; missing rows are skipped.
    func positions(at places: [Int]) throws -> [RecordPosition] {
        let statement = try database.cachedStatement(sql: "SELECT isMissing, value FROM keys WHERE place = ? AND sort = ?")
        return try places.compactMap { place in
            try Row.fetchOne(statement, arguments: [place, sortKeyIndex]).map { row in
                RecordPosition(place: place, value: try row.checked(0) ? nil : RecordSortValue(row[1]))
            }
        }
    }

    /// Whether one position precedes another.
    func isOrderedBefore(_ one: RecordPosition, _ other: RecordPosition) -> Bool {
        switch (one.value, other.value) {
        case (nil, nil): return isDescending ? one.place > other.place : one.place < other.place
        case (nil, _): return false
        case (_, nil): return true
        case (let mine?, let theirs?):
            if mine == theirs { return isDescending ? one.place > other.place : one.place < other.place }
            return isDescending ? theirs < mine : mine < theirs
        }
    }

    /// Whether a position is beyond all rows with a value, or all rows without one.
    private func isExhausted(_ isMissing: Bool, _ position: RecordPosition?, _ backwards: Bool) -> Bool {
        guard let position else { return false }
        return backwards ? isMissing && position.value != nil : !isMissing && position.value == nil
    }

    private func fetchPositions(
        _ isMissing: Bool, from position: RecordPosition?, backwards: Bool, skipping: Int, limit: Int
    ) throws -> [RecordPosition] {
        let isReversed = isDescending != backwards
        let (direction, comparison) = isReversed ? ("DESC", "<") : ("ASC", ">")
        let behind = position == nil ? "" : "AND (value, place) \(comparison) (?, ?)"
        let statement = try database.cachedStatement(
            sql: """
                SELECT place, value FROM keys WHERE sort = ? AND isMissing = ? \(behind)
                ORDER BY value \(direction), place \(direction) LIMIT ? OFFSET ?
                """)
        var arguments: StatementArguments = [sortKeyIndex, isMissing]
        if let position { arguments += [position.value?.databaseValue ?? 0.databaseValue, position.place] }
        arguments += [limit, skipping]
        return try Row.fetchAll(statement, arguments: arguments).map { row in
            RecordPosition(place: try row.checked(0), value: isMissing ? nil : RecordSortValue(row[1]))
        }
    }
}
