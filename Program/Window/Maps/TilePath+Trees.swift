import DemoCity

extension TilePath {
    /// Adds trees on an irregular lattice of about 25 m, with the given density; deterministic for each area.
    mutating func addTrees(in area: BoundingBox, density: Double, _ canvas: TileProjection) {
        let spacing = (latitude: 0.000225, longitude: 0.0003)
        let rows = Int((area.north - area.south) / spacing.latitude) - 1
        let columns = Int((area.east - area.west) / spacing.longitude) - 1
        for row in 0..<max(0, rows) {
            let north = area.north - spacing.latitude * (Double(row) + 1)
            guard canvas.bounds.south <= north, north - spacing.latitude <= canvas.bounds.north else { continue }
            for column in 0..<max(0, columns) {
                var random = SplitMix64(column + Int(area.west * 10_000), row + Int(area.north * 10_000))
                guard random.next(below: 1) < density else { continue }
                let tree = Coordinate(
                    latitude: north - spacing.latitude * random.next(below: 0.5),
                    longitude: area.west + spacing.longitude * (Double(column) + 0.8 + random.next(below: 0.7))
                )
                if canvas.bounds.contains(tree) { addDot(x: canvas.x(tree.longitude), y: canvas.y(tree.latitude)) }
            }
        }
    }
}
