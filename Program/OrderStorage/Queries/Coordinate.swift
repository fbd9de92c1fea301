import Foundation

/// A place on the earth, in degrees.
package struct Coordinate: Codable, Hashable, Sendable {
    /// From -90 to 90.
    package let latitude: Double
    /// From -180 to 180.
    package let longitude: Double

    /// Creates a coordinate; nil if a value is not finite or out of range.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The mean radius of the earth, in metres (IUGG).
    package static let earthRadius = 6_371_008.8

    /// Returns the distance along the great circle, in metres (haversine formula).
    package func distance(to other: Coordinate) -> Double {
        let (first, second) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let sines = (sin((second - first) / 2), sin((other.longitude - longitude) * .pi / 360))
        let square = sines.0 * sines.0 + cos(first) * cos(second) * sines.1 * sines.1
        return 2 * Self.earthRadius * asin(min(1, square.squareRoot()))
    }

    /// Returns boxes that contain all places within a distance: two where they cross the 180th meridian.
    package func boxes(within distance: Double) -> [CoordinateBox] {
        let degrees = distance / Self.earthRadius * 180 / .pi
        let (south, north) = (max(latitude - degrees, -90), min(latitude + degrees, 90))
        let ratio = south == -90 || north == 90 ? 2 : sin(degrees * .pi / 180) / cos(latitude * .pi / 180)
        guard ratio < 1, degrees < 90 else { return [CoordinateBox(south: south, west: -180, north: north, east: 180)] }
        let width = asin(ratio) * 180 / .pi
        return CoordinateBox(south: south, west: longitude - width, north: north, east: longitude + width).normalized
    }
}

/// A range of latitudes and of longitudes, in degrees.
package struct CoordinateBox: Codable, Hashable, Sendable {
    package let south: Double
    package let west: Double
    package let north: Double
    package let east: Double

    package init(south: Double, west: Double, north: Double, east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// The box as one or two boxes whose longitudes are from -180 to 180. A box whose west is east of its east crosses the 180th meridian.
    package var normalized: [CoordinateBox] {
        if west < -180 { return split(west: west + 360, east: east) }
        if east > 180 { return split(west: west, east: east - 360) }
        return west > east ? split(west: west, east: east) : [self]
    }

    private func split(west: Double, east: Double) -> [CoordinateBox] {
        [
            CoordinateBox(south: south, west: west, north: north, east: 180),
            CoordinateBox(south: south, west: -180, north: north, east: east),
        ]
    }

    /// Whether a coordinate lies inside; west and east are those of a normalized box.
    package func contains(_ coordinate: Coordinate) -> Bool {
        (south...max(south, north)).contains(coordinate.latitude) && (west...max(west, east)).contains(coordinate.longitude)
    }
}
