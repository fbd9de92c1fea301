/// A point of a curve, in kilometers east and north of the city's center.
///
/// Curves are smoothed with sums, products and square roots only, whose rounding is the same on every platform.
struct CurvePoint {
    var east: Double
    var north: Double

    init(_ east: Double, _ north: Double) {
        self.east = east
        self.north = north
    }

    static func + (a: CurvePoint, b: CurvePoint) -> CurvePoint { CurvePoint(a.east + b.east, a.north + b.north) }
    static func - (a: CurvePoint, b: CurvePoint) -> CurvePoint { CurvePoint(a.east - b.east, a.north - b.north) }
    static func * (a: CurvePoint, factor: Double) -> CurvePoint { CurvePoint(a.east * factor, a.north * factor) }
}

/// A smooth curve through given points: a Catmull–Rom spline with sixteen segments between two points.
struct Curve {
    var points: [CurvePoint]

    init(_ points: [(Double, Double)]) {
        self.points = points.map { CurvePoint($0.0, $0.1) }
    }

    /// Returns the closed curve through the points.
    func closed() -> [CurvePoint] {
        let count = points.count
        return points.indices.flatMap { index in
            segment(
                points[(index + count - 1) % count], points[index],
                points[(index + 1) % count], points[(index + 2) % count]
            )
        }
    }

    /// Returns the open curve from the first point to the last.
    func open() -> [CurvePoint] {
        let last = points.count - 1
        let segments = (0..<last).flatMap { index in
            segment(points[max(0, index - 1)], points[index], points[index + 1], points[min(last, index + 2)])
        }
        return segments + [points[last]]
    }

    /// Returns a band around the open curve, which narrows from a width of `mouth` kilometers at its start to zero at its end.
    func river(mouth: Double) -> [CurvePoint] {
        let curve = open()
        var left: [CurvePoint] = []
        var right: [CurvePoint] = []
        for index in curve.indices {
            let along = curve[min(index + 1, curve.count - 1)] - curve[max(index - 1, 0)]
            let length = (along.east * along.east + along.north * along.north).squareRoot()
            let share = Double(index) / Double(curve.count - 1)
            let half = mouth / 2 * (1 - share * share * share)
            let across = CurvePoint(-along.north / length, along.east / length) * half
            left.append(curve[index] + across)
            right.append(curve[index] - across)
        }
        return left + right.reversed()
    }

    private func segment(_ a: CurvePoint, _ b: CurvePoint, _ c: CurvePoint, _ d: CurvePoint) -> [CurvePoint] {
        (0..<16).map { step in
            let t = Double(step) / 16
            let linear = (c - a) * t
            let square = (a * 2 - b * 5 + c * 4 - d) * (t * t)
            let cubic = (b * 3 - a - c * 3 + d) * (t * t * t)
            return b + (linear + square + cubic) * 0.5
        }
    }
}
