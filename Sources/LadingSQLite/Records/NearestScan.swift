import Foundation
import GRDB
import GRDBSQLite
import LadingFeeds

/// Walks the places around a point, nearest first, by an R*Tree over the globe as a ball of radius 1.
///
/// Straight distances through the ball grow with those on its surface, and know no poles and no date line. The tree holds Float32, about a metre: it is
/// walked a little further than needed, and what it gives is sorted by exact distances.
struct NearestScan {
    /// What the tree may be wrong by, as a straight distance: about six metres.
    private static let tolerance = 1e-6

    /// A place in the list, and its straight distance from the point.
    struct Match: Comparable {
        var distance: Double
        var place: Int

        static func < (one: Match, other: Match) -> Bool { (one.distance, one.place) < (other.distance, other.place) }
    }

    let database: Database
    let point: GeographicPoint

    /// Makes the tree of a connection able to walk.
    static func register(with database: Database) throws {
        let code = sqlite3_rtree_query_callback(database.sqliteConnection, "around", distanceQuery, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// The steps behind one, in order; at most as many as are asked for.
    ///
    /// - Parameters:
    ///   - end: How far is far enough.
    ///   - admits: Which places count.
    func matches(after last: Match? = nil, limit: Int, maxDistance end: Double = .infinity, where isIncluded: (Int) -> Bool = { _ in true }) throws -> [Match] {
        let centre = point.unitVector
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT records.place, latitude, longitude FROM nearby CROSS JOIN records ON records.place = nearby.place
                    WHERE nearby.place MATCH around(?, ?, ?, ?)
                    """),
            arguments: [centre.x, centre.y, centre.z, (last?.distance ?? 0) - Self.tolerance])
        var steps: [Match] = []
        while let row = try rows.next() {
            guard let location = try GeographicPoint(row, from: 1) else { continue }
            let step = Match(distance: location.unitVector.distance(to: centre), place: try row.checked(0))
            if step.distance > end { break }
            if steps.count >= limit, step.distance > steps[limit - 1].distance + Self.tolerance { break }
            guard last.map({ $0 < step }) ?? true, isIncluded(step.place) else { continue }
            // They come almost in order.
            steps.insert(step, at: (steps.lastIndex { $0 < step } ?? -1) + 1)
            if steps.count > limit { steps.removeLast() }
        }
        return steps
    }

    /// All steps before one, in order.
    func matches(before end: Match, where isIncluded: (Int) -> Bool = { _ in true }) throws -> [Match] {
        let reach = try matches(limit: .max, maxDistance: end.distance + Self.tolerance, where: isIncluded)
        return Array(reach.prefix { $0 < end })
    }

    /// Scores each box by its distance, so that the nearest is looked into first. Leaves out those that lie nearer than where the walk begins.
    private static let distanceQuery: @convention(c) (UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> CInt = { info in
        guard let info, info.pointee.nParam == 4, info.pointee.nCoord == 6, let numbers = info.pointee.aParam else { return SQLITE_ERROR }
        guard let box = info.pointee.aCoord else { return SQLITE_ERROR }
        var (near, far) = (0.0, 0.0)
        for axis in 0..<3 {
            let (low, high, centre) = (Double(box[2 * axis]), Double(box[2 * axis + 1]), numbers[axis])
            let outside = max(low - centre, centre - high, 0)
            let across = max(abs(low - centre), abs(high - centre))
            near += outside * outside
            far += across * across
        }
        let isPassed = far.squareRoot() < numbers[3]
        info.pointee.eWithin = isPassed ? NOT_WITHIN : PARTLY_WITHIN
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
