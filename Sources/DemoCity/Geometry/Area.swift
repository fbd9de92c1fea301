/// A rectangle between two parallels and two meridians, its edges included.
package struct Area: Hashable, Sendable {
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

    package func overlaps(_ other: Area) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }

    /// The same rectangle with its edges moved outwards, or inwards by a negative distance; in degrees.
    package func grown(_ distance: Double) -> Area {
        grown(latitude: distance, longitude: distance)
    }

    /// The same with one distance for its northern and southern edge, and another for the eastern and western.
    package func grown(latitude: Double, longitude: Double) -> Area {
        Area(
            south: south - latitude,
            west: west - longitude,
            north: north + latitude,
            east: east + longitude
        )
    }
}
