/// The closed outline of a bay, a river or an island; its last point connects to its first.
package struct Polygon: Hashable, Sendable {
    package var points: [Coordinate]
    package var bounds: BoundingBox

    init(points: [Coordinate]) {
        self.points = points
        bounds = BoundingBox(
            south: points.map(\.latitude).min() ?? 0,
            west: points.map(\.longitude).min() ?? 0,
            north: points.map(\.latitude).max() ?? 0,
            east: points.map(\.longitude).max() ?? 0
        )
    }

    /// Whether a point is inside, by counting the edges west of it.
    package func contains(_ point: Coordinate) -> Bool {
        bounds.contains(point) && slice(south: point.latitude, north: point.latitude).contains(point)
    }

    /// Returns the edges that intersect a band of latitude, which suffice for queries within that band.
    func slice(south: Double, north: Double) -> PolygonSlice {
        var edges: [PolygonSlice.Edge] = []
        var previous = points[points.count - 1]
        for point in points {
            if max(previous.latitude, point.latitude) >= south, min(previous.latitude, point.latitude) <= north {
                edges.append(PolygonSlice.Edge(start: previous, end: point))
            }
            previous = point
        }
        return PolygonSlice(edges: edges)
    }
}
