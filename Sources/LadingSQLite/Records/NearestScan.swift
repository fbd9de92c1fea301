import Foundation
import GRDB
import GRDBSQLite
import LadingRecords
import SQLiteFiles

/// A scan of the rows around a point, nearest first, by an R*Tree of positions on a unit sphere.
///
/// Straight distances grow with great-circle distances and have no special cases at the poles or the date line. The tree stores Float32, with an
/// error of about a meter, so the scan reads slightly further and sorts by exact distances.
struct NearestScan {
    /// The maximum number of places that are always looked up one by one.
    static let lookupLimit = 2_000

    /// The maximum error of the tree as a straight distance, about six meters.
    private static let tolerance = 1e-6
    /// The numbers of rows before an index that are read as well, because the tree may return rows near each other in another order.
    private static let indexMargins = [256, 4_096]
    /// The widths of the rings in which the rows before another one are searched, as shares of its distance.
    private static let ringWidths = [1.0 / 1_024, 1.0 / 256, 1.0 / 64, 1.0 / 16, 1.0 / 4]

    /// A place in the list with its straight distance from the point.
    struct Match: Comparable {
        var distance: Double
        var place: Int

        static func < (one: Match, other: Match) -> Bool { (one.distance, one.place) < (other.distance, other.place) }
    }

    let database: Database
    let point: GeographicPoint

    /// Registers the R*Tree query of the scan with a connection.
    static func register(with database: Database) throws {
        let code = sqlite3_rtree_query_callback(database.sqliteConnection, "around", distanceQuery, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Returns at most `limit` matches after another, in order.
    ///
    /// - Parameters:
    ///   - skipped: The number of rows that the tree skips, without reading them.
    ///   - end: The maximum distance.
    ///   - isIncluded: Whether a place counts.
    func matches(
        after last: Match? = nil, skipping skipped: Int = 0, limit: Int, maxDistance end: Double = .infinity,
        where isIncluded: (Int) -> Bool = { _ in true }
    ) throws -> [Match] {
        let center = point.unitVector
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT records.place, latitude, longitude
                    FROM (SELECT place FROM nearby WHERE place MATCH around(?, ?, ?, ?) LIMIT -1 OFFSET ?) AS found
                    CROSS JOIN records ON records.place = found.place
                    """),
            arguments: [center.x, center.y, center.z, (last?.distance ?? 0) - Self.tolerance, skipped])
        var matches: [Match] = []
        while let row = try rows.next() {
            guard let location = try GeographicPoint(row, from: 1) else { continue }
            let match = Match(distance: location.unitVector.distance(to: center), place: try row.checked(0))
            if match.distance > end { break }
            if matches.count >= limit, match.distance > matches[limit - 1].distance + Self.tolerance { break }
            guard last.map({ $0 < match }) ?? true, isIncluded(match.place) else { continue }
            // Matches are almost in order.
            matches.insert(match, at: (matches.lastIndex { $0 < match } ?? -1) + 1)
            if matches.count > limit { matches.removeLast() }
        }
        return matches
    }

    /// Returns at most `limit` matches from an index on, in order.
    func matches(from index: Int, limit: Int) throws -> [Match] {
        for margin in Self.indexMargins where margin < index {
            let found = try matches(skipping: index - margin, limit: margin + limit)
            guard found.count > margin else { return [] }
            // No skipped row is farther than the first one here by more than the tolerance.
            if found[margin].distance > found[0].distance + Self.tolerance { return Array(found.dropFirst(margin)) }
        }
        return try Array(matches(limit: index + limit).dropFirst(index))
    }

    /// Returns the last `limit` matches before another, in order.
    func matches(before end: Match, limit: Int, where isIncluded: (Int) -> Bool = { _ in true }) throws -> [Match] {
        for width in Self.ringWidths {
            let start = Match(distance: end.distance * (1 - width), place: .min)
            let ring = try matches(after: start, before: end, where: isIncluded)
            if ring.count >= limit { return Array(ring.suffix(limit)) }
        }
        return try Array(matches(after: nil, before: end, where: isIncluded).suffix(limit))
    }

    /// Returns all matches between two others, in order.
    private func matches(after start: Match?, before end: Match, where isIncluded: (Int) -> Bool) throws -> [Match] {
        let found = try matches(after: start, limit: .max, maxDistance: end.distance + Self.tolerance, where: isIncluded)
        return Array(found.prefix { $0 < end })
    }

    /// Returns the matches at some places, unordered; rows without a location are omitted.
    func matches(at places: [Int]) throws -> [Match] {
        let center = point.unitVector
        let statement = try database.cachedStatement(sql: "SELECT latitude, longitude FROM records WHERE place = ?")
        return try places.compactMap { place in
            let row = try Row.fetchOne(statement, arguments: [place])
            return try row.flatMap { try GeographicPoint($0, from: 0) }.map { location in
                Match(distance: location.unitVector.distance(to: center), place: place)
            }
        }
    }

    /// The R*Tree callback that scores boxes by distance, so that the nearest is searched first, and skips boxes nearer than the start of the scan.
    private static let distanceQuery: @convention(c) (UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> CInt = { info in
        guard let info, info.pointee.nParam == 4, info.pointee.nCoord == 6, let numbers = info.pointee.aParam else { return SQLITE_ERROR }
        guard let box = info.pointee.aCoord else { return SQLITE_ERROR }
        var (near, far) = (0.0, 0.0)
        for axis in 0..<3 {
            let (low, high, center) = (Double(box[2 * axis]), Double(box[2 * axis + 1]), numbers[axis])
            let outside = max(low - center, center - high, 0)
            let across = max(abs(low - center), abs(high - center))
            near += outside * outside
            far += across * across
        }
        let isBeforeStart = far.squareRoot() < numbers[3]
        info.pointee.eWithin = isBeforeStart ? NOT_WITHIN : PARTLY_WITHIN
        info.pointee.rScore = near
        return SQLITE_OK
    }
}

// MARK: - Choosing

extension NearestScan {
    /// Whether it is faster to look up the places of all matches than to scan the tree until `limit` of them are found.
    ///
    /// The rarer the matches, the more rows a scan reads for each of them.
    static func isLookupFaster(for matchCount: Int, limit: Int, in database: Database) throws -> Bool {
        try matchCount <= lookupLimit || matchCount * matchCount / max(limit, 1) <= RecordCounts(database: database).total()
    }
}

// MARK: - Counting

// SQLite stores a row for each entry of the tree in a table beside it; counting the entries themselves would read all nodes of the tree.
extension NearestScan {
    /// Returns the number of rows with a location.
    static func count(in database: Database) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM nearby_rowid")) ?? 0
    }

    /// Returns the number of rows with a location at some places, which are sorted.
    static func count(at places: [Int], in database: Database) throws -> Int {
        guard let first = places.first, let last = places.last else { return 0 }
        guard places.count > lookupLimit, last - first < 10 * places.count else {
            let statement = try database.cachedStatement(sql: "SELECT 1 FROM nearby_rowid WHERE rowid = ?")
            return try places.count { try Int.fetchOne(statement, arguments: [$0]) != nil }
        }
        let located = try Int.fetchCursor(
            database.cachedStatement(sql: "SELECT rowid FROM nearby_rowid WHERE rowid BETWEEN ? AND ?"), arguments: [first, last])
        var count = 0
        while let place = try located.next() {
            if places.containsSorted(place) { count += 1 }
        }
        return count
    }
}

extension SIMD3<Double> {
    fileprivate func distance(to other: SIMD3<Double>) -> Double {
        let difference = self - other
        return (difference * difference).sum().squareRoot()
    }
}
