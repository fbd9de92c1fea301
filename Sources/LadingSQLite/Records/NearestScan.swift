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
    /// The maximum error of the tree as a straight distance, about six meters.
    private static let tolerance = 1e-6

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
    ///   - end: The maximum distance.
    ///   - isIncluded: Whether a place counts.
    func matches(after last: Match? = nil, limit: Int, maxDistance end: Double = .infinity, where isIncluded: (Int) -> Bool = { _ in true })
        throws -> [Match]
    {
        let center = point.unitVector
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT records.place, latitude, longitude FROM nearby CROSS JOIN records ON records.place = nearby.place
                    WHERE nearby.place MATCH around(?, ?, ?, ?)
                    """),
            arguments: [center.x, center.y, center.z, (last?.distance ?? 0) - Self.tolerance])
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

    /// Returns all matches before another, in order.
    func matches(before end: Match, where isIncluded: (Int) -> Bool = { _ in true }) throws -> [Match] {
        let reach = try matches(limit: .max, maxDistance: end.distance + Self.tolerance, where: isIncluded)
        return Array(reach.prefix { $0 < end })
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

extension SIMD3<Double> {
    fileprivate func distance(to other: SIMD3<Double>) -> Double {
        let difference = self - other
        return (difference * difference).sum().squareRoot()
    }
}
