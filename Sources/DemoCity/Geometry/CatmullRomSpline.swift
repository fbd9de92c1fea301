/// A point of a curve, in kilometers east and north of the city's centre.
///
/// Curves are smoothed with sums, products and square roots only, whose rounding is the same on every platform.
struct SplinePoint {
    var east: Double
    var north: Double

    init(_ east: Double, _ north: Double) {
        self.east = east
        self.north = north
    }

    static func + (a: SplinePoint, b: SplinePoint) -> SplinePoint { SplinePoint(a.east + b.east, a.north + b.north) }
    static func - (a: SplinePoint, b: SplinePoint) -> SplinePoint { SplinePoint(a.east - b.east, a.north - b.north) }
    static func * (a: SplinePoint, factor: Double) -> SplinePoint { SplinePoint(a.east * factor, a.north * factor) }
}

/// A smooth curve through given points: a Catmull–Rom spline with sixteen segments between two points.
struct CatmullRomSpline {
    var points: [SplinePoint]

    init(_ points: [(Double, Double)]) {
        self.points = points.map { SplinePoint($0.0, $0.1) }
    }

    /// Returns the closed curve through the points.
    func closed() -> [SplinePoint] {
        let count = points.count
        return points.indices.flatMap { index in
            segment(
                points[(index + count - 1) % count], points[index],
                points[(index + 1) % count], points[(index + 2) % count]
            )
        }
    }

    /// Returns the open curve from the first point to the last.
    func open() -> [SplinePoint] {
        let last = points.count - 1
        let segments = (0..<last).flatMap { index in
            segment(points[max(0, index - 1)], points[index], points[index + 1], points[min(last, index + 2)])
        }
        return segments + [points[last]]
    }

    /// Returns a band around the open curve, which narrows from a width of `mouth` kilometers at its start to zero at its end.
    func river(mouth: Double) -> [SplinePoint] {
        let curve = open()
        var left: [SplinePoint] = []
        var right: [SplinePoint] = []
        for index in curve.indices {
            let along = curve[min(index + 1, curve.count - 1)] - curve[max(index - 1, 0)]
            let length = (along.east * along.east + along.north * along.north).squareRoot()
            let share = Double(index) / Double(curve.count - 1)
            let half = mouth / 2 * (1 - share * share * share)
            let across = SplinePoint(-along.north / length, along.east / length) * half
            left.append(curve[index] + across)
            right.append(curve[index] - across)
        }
        return left + right.reversed()
    }

    private func segment(_ a: SplinePoint, _ b: SplinePoint, _ c: SplinePoint, _ d: SplinePoint) -> [SplinePoint] {
        (0..<16).map { step in
            let t = Double(step) / 16
            let linear = (c - a) * t
            let square = (a * 2 - b * 5 + c * 4 - d) * (t * t)
            let cubic = (b * 3 - a - c * 3 + d) * (t * t * t)
            return b + (linear + square + cubic) * 0.5
        }
    }
}
