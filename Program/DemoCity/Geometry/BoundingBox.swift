/// A rectangle between two parallels and two meridians, including its edges.
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

    /// Returns the rectangle with its edges moved outwards by a distance in degrees; a negative one moves them inwards.
    package func expanded(by distance: Double) -> BoundingBox {
        expanded(byLatitude: distance, longitude: distance)
    }

    /// Returns the rectangle with separate distances for its northern and southern edges and its eastern and western edges.
    package func expanded(byLatitude: Double, longitude: Double) -> BoundingBox {
        BoundingBox(
            south: south - byLatitude,
            west: west - longitude,
            north: north + byLatitude,
            east: east + longitude
        )
    }
}
