/// The use of each block of the grid.
struct LandUseMap {
    enum Use: Hashable {
        case built
        case park(Int)
        /// A block next to the bay or the river, without houses.
        case shore
        case water
        /// A block outside the boundary of the city.
        case beyondBoundary

        var isPark: Bool {
            if case .park = self { true } else { false }
        }
    }

    private var uses: [Use] = []

    init(landscape: Landscape, parks: [Park]) {
        for row in Grid.rows {
            let band = Grid.block(column: 1, row: row).expanded(by: Grid.waterMargin)
            let limits = landscape.boundary.slice(south: band.south, north: band.north)
            let water = [landscape.bay, landscape.river].map { $0.slice(south: band.south, north: band.north) }
            for column in Grid.columns {
                let block = Grid.block(column: column, row: row)
                if !limits.contains(block) {
                    uses.append(.beyondBoundary)
                } else if water.contains(where: { $0.contains(block) }) {
                    uses.append(.water)
                } else if water.contains(where: { $0.intersects(block.expanded(by: Grid.waterMargin)) }) {
                    uses.append(.shore)
                } else {
                    uses.append(parks.firstIndex { $0.contains(column: column, row: row) }.map(Use.park) ?? .built)
                }
            }
        }
    }

    /// Returns the use of a block; `outside` beyond the grid.
    func use(column: Int, row: Int) -> Use {
        guard Grid.columns.contains(column), Grid.rows.contains(row) else { return .beyondBoundary }
        return uses[row * Grid.columns.count + column - 1]
    }
}

extension PolygonSlice {
    /// Whether a whole area lies inside the outline.
    func contains(_ area: BoundingBox) -> Bool {
        contains(Coordinate(latitude: area.south, longitude: area.west)) && !edges.contains { $0.intersects(area) }
    }
}
