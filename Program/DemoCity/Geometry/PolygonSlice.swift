/// The edges of an outline in one band of latitude, which spare a row of blocks from testing the whole outline.
struct PolygonSlice {
    struct Edge {
        var start: Coordinate
        var end: Coordinate
    }

    var edges: [Edge]

    /// Whether a point, whose latitude lies in the band, is inside the outline.
    func contains(_ point: Coordinate) -> Bool {
        var inside = false
        for edge in edges where edge.crosses(latitude: point.latitude) {
            if edge.longitude(at: point.latitude) < point.longitude { inside.toggle() }
        }
        return inside
    }

    /// Whether any part of an area, which lies in the band, is inside the outline.
    func intersects(_ area: BoundingBox) -> Bool {
        edges.contains { $0.intersects(area) }
            || contains(Coordinate(latitude: area.south, longitude: area.west))
    }
}

extension PolygonSlice.Edge {
    /// Whether the edge crosses a latitude; half open, so that a corner counts once.
    func crosses(latitude: Double) -> Bool {
        (start.latitude > latitude) != (end.latitude > latitude)
    }

    func longitude(at latitude: Double) -> Double {
        let share = (latitude - start.latitude) / (end.latitude - start.latitude)
        return start.longitude + share * (end.longitude - start.longitude)
    }

    /// Whether the edge and an area intersect: their projections overlap on both axes and on the edge's normal.
    func intersects(_ area: BoundingBox) -> Bool {
        guard min(start.longitude, end.longitude) <= area.east, max(start.longitude, end.longitude) >= area.west,
            min(start.latitude, end.latitude) <= area.north, max(start.latitude, end.latitude) >= area.south
        else { return false }
        let sides = [
            side(latitude: area.south, longitude: area.west), side(latitude: area.south, longitude: area.east),
            side(latitude: area.north, longitude: area.west), side(latitude: area.north, longitude: area.east),
        ]
        return sides.contains { $0 <= 0 } && sides.contains { $0 >= 0 }
    }

    private func side(latitude: Double, longitude: Double) -> Double {
        (end.longitude - start.longitude) * (latitude - start.latitude)
            - (end.latitude - start.latitude) * (longitude - start.longitude)
    }
}
