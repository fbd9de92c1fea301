import DemoCity

/// The data of one SVG path, written as it grows.
struct TilePath {
    private(set) var data = ""

    var isEmpty: Bool { data.isEmpty }

    /// A line along a parallel or a meridian.
    mutating func line(_ line: TileBox) {
        data += "M\(line.left) \(line.top)"
        data += line.top == line.bottom ? "H\(line.right)" : "V\(line.bottom)"
    }

    mutating func rectangle(_ box: TileBox) {
        data += "M\(box.left) \(box.top)H\(box.right)V\(box.bottom)H\(box.left)z"
    }

    /// A round dot, drawn by the round cap of a line without length.
    mutating func dot(x: Pixel, y: Pixel) {
        data += "M\(x) \(y)h0"
    }

    /// The part of a closed line that a tile can see.
    ///
    /// What is left out is never an edge in sight: a point goes when it and its neighbours lie beyond the same side.
    mutating func outline(_ outline: Outline, on canvas: TileCanvas) {
        let points = outline.points
        var kept = [points[0]]
        for index in 1..<points.count {
            let neighbours = [kept[kept.count - 1], points[index], points[(index + 1) % points.count]]
            if neighbours.reduce(~0, { $0 & canvas.area.beyond($1) }) == 0 { kept.append(points[index]) }
        }
        guard kept.count > 2 else { return }
        append(kept.map { (canvas.x($0.longitude), canvas.y($0.latitude)) })
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

extension Area {
    /// The sides of the area that the point lies beyond, one bit each.
    fileprivate func beyond(_ point: Coordinate) -> Int {
        (point.latitude < south ? 1 : 0) | (point.latitude > north ? 2 : 0)
            | (point.longitude < west ? 4 : 0) | (point.longitude > east ? 8 : 0)
    }
}
