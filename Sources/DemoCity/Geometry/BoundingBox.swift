/// A rectangle between two parallels and two meridians, its edges included.
package struct BoundingBox: Hashable, Sendable {
    package var south: Double
    package var west: Double
    package var north: Double
    package var east: Double

    package init(south: Double, west: Double, north: Double, east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    package func contains(_ point: Coordinate) -> Bool {
        south <= point.latitude && point.latitude <= north && west <= point.longitude && point.longitude <= east
    }

    package func intersects(_ other: BoundingBox) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }

    /// The same rectangle with its edges moved outwards, or inwards by a negative distance; in degrees.
    package func expanded(by distance: Double) -> BoundingBox {
        expanded(byLatitude: distance, longitude: distance)
    }

    /// The same with one distance for its northern and southern edge, and another for the eastern and western.
    package func expanded(byLatitude: Double, longitude: Double) -> BoundingBox {
        BoundingBox(
            south: south - byLatitude,
            west: west - longitude,
            north: north + byLatitude,
            east: east + longitude
        )
    }
}
