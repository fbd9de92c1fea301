/// The street grid: avenues 1 to 45 from west to east, streets 0 to 112 from north to south.
///
/// Block (column, row) lies between avenues `column` and `column + 1` and between streets `row` and `row + 1`.
struct Grid {
    /// The distance between avenues: 200 m in degrees of longitude at the city's latitude.
    static let avenueSpacing = 0.00237
    /// The distance between streets: 80 m in degrees of latitude.
    static let streetSpacing = 0.00072
    /// The degrees per kilometer to the north and to the east.
    static let scale = (latitude: 0.009, longitude: 0.01185)
    /// The minimum distance of houses and roads from the water, 20 m or more, in degrees.
    static let waterMargin = 0.00024
    static let center = Coordinate(latitude: 40.764, longitude: -73.923)
    static let avenues = 1...45
    static let streets = 0...112
    static let columns = 1...44
    static let rows = 0...111

    static func longitude(ofAvenue number: Int) -> Double {
        center.longitude + Double(number - 23) * avenueSpacing
    }

    static func latitude(ofStreet index: Int) -> Double {
        center.latitude + Double(56 - index) * streetSpacing
    }

    /// Whether an avenue or a street is a main road: every fifth is.
    static func isMain(_ index: Int) -> Bool { index % 5 == 0 }

    /// Returns the area of a block between the center lines of its roads.
    static func block(column: Int, row: Int) -> BoundingBox {
        BoundingBox(
            south: latitude(ofStreet: row + 1),
            west: longitude(ofAvenue: column),
            north: latitude(ofStreet: row),
            east: longitude(ofAvenue: column + 1)
        )
    }

    /// Returns the columns of the blocks that intersect an area.
    static func columns(in area: BoundingBox) -> Range<Int> {
        let first = ((area.west - center.longitude) / avenueSpacing).rounded(.down) + 23
        let last = ((area.east - center.longitude) / avenueSpacing).rounded(.down) + 23
        return clamp(first, last, columns)
    }

    /// Returns the rows of the blocks that intersect an area.
    static func rows(in area: BoundingBox) -> Range<Int> {
        let first = ((center.latitude - area.north) / streetSpacing).rounded(.down) + 56
        let last = ((center.latitude - area.south) / streetSpacing).rounded(.down) + 56
        return clamp(first, last, rows)
    }

    static func coordinate(_ point: CurvePoint) -> Coordinate {
        Coordinate(
            latitude: center.latitude + point.north * scale.latitude,
            longitude: center.longitude + point.east * scale.longitude
        )
    }

    private static func clamp(_ first: Double, _ last: Double, _ limits: ClosedRange<Int>) -> Range<Int> {
        let lower = max(Double(limits.lowerBound), min(first, Double(limits.upperBound) + 1))
        let upper = max(lower, min(last + 1, Double(limits.upperBound) + 1))
        return Int(lower)..<Int(upper)
    }
}
