import DemoCity

/// The data of an SVG path, built incrementally.
struct TilePath {
    private(set) var data = ""

    var isEmpty: Bool { data.isEmpty }

    /// Adds a line along a parallel or a meridian.
    mutating func addLine(_ line: TileBox) {
        data += "M\(line.left) \(line.top)"
        data += line.top == line.bottom ? "H\(line.right)" : "V\(line.bottom)"
    }

    mutating func addBox(_ box: TileBox) {
        data += "M\(box.left) \(box.top)H\(box.right)V\(box.bottom)H\(box.left)z"
    }

    /// Adds a round dot, drawn as the round cap of a line of zero length.
    mutating func addDot(x: Pixel, y: Pixel) {
        data += "M\(x) \(y)h0"
    }

    /// Adds the part of a polygon that is visible on a tile.
    ///
    /// A point is omitted only when it and its neighbours are beyond the same side of the tile, so that no visible edge changes.
    mutating func addPolygon(_ outline: Polygon, on projection: TileProjection) {
        let points = outline.points
        var clipped = [points[0]]
        for index in 1..<points.count {
            let adjacentPoints = [clipped[clipped.count - 1], points[index], points[(index + 1) % points.count]]
            if adjacentPoints.reduce(~0, { $0 & projection.bounds.outerSides(of: $1) }) == 0 { clipped.append(points[index]) }
        }
        guard clipped.count > 2 else { return }
        append(clipped.map { (projection.x($0.longitude), projection.y($0.latitude)) })
    }

    private mutating func append(_ points: [(x: Pixel, y: Pixel)]) {
        var previous: (x: Pixel, y: Pixel)?
        for point in points where previous == nil || previous! != point {
            data += "\(previous == nil ? "M" : "L")\(point.x) \(point.y)"
            previous = point
        }
        data += "z"
    }
}

extension BoundingBox {
    /// Returns the sides of the area that the point is beyond, one bit each.
    fileprivate func outerSides(of point: Coordinate) -> Int {
        (point.latitude < south ? 1 : 0) | (point.latitude > north ? 2 : 0)
            | (point.longitude < west ? 4 : 0) | (point.longitude > east ? 8 : 0)
    }
}
