extension City {
    /// The smallest rectangle around all blocks.
    package var bounds: BoundingBox {
        BoundingBox(
            south: Grid.latitude(ofStreet: Grid.streets.upperBound),
            west: Grid.longitude(ofAvenue: Grid.avenues.lowerBound),
            north: Grid.latitude(ofStreet: Grid.streets.lowerBound),
            east: Grid.longitude(ofAvenue: Grid.avenues.upperBound)
        )
    }

    /// The outline of the built-up land, including some of the water.
    package var boundary: Polygon { landscape.boundary }

    /// The bay, the river, and the pond in the park.
    package var water: [Polygon] { [landscape.bay, landscape.river, landscape.pond] }

    /// The uninhabited islands in the bay.
    package var islands: [Polygon] { landscape.islands }

    /// Returns the outlines of water that may intersect an area.
    package func water(in area: BoundingBox) -> [Polygon] { water.filter { $0.bounds.intersects(area) } }

    /// Returns the islands that may intersect an area.
    package func islands(in area: BoundingBox) -> [Polygon] { islands.filter { $0.bounds.intersects(area) } }

    /// Returns the parks that intersect an area.
    package func parks(in area: BoundingBox) -> [Park] { Park.all.filter { $0.bounds.intersects(area) } }

    /// Returns the named streets with a segment in an area, with only those segments, not clipped.
    package func streets(in area: BoundingBox) -> [Road] { streets.compactMap { $0.restricted(to: area) } }

    /// Returns the numbered avenues with a segment in an area, with only those segments, not clipped.
    package func avenues(in area: BoundingBox) -> [Road] { avenues.compactMap { $0.restricted(to: area) } }

    /// Returns the blocks of houses and of the shore in an area.
    package func blocks(in area: BoundingBox) -> [Block] {
        Grid.rows(in: area).flatMap { row in
            Grid.columns(in: area).compactMap { column in block(column: column, row: row) }
        }
    }

    private func block(column: Int, row: Int) -> Block? {
        let use: Block.Use
        switch landUse.use(column: column, row: row) {
        case .built: use = .built
        case .shore: use = .shore
        case .park, .water, .beyondBoundary: return nil
        }
        return Block(avenue: column, street: row, use: use, bounds: Grid.block(column: column, row: row))
    }
}

extension Road {
    fileprivate func restricted(to area: BoundingBox) -> Road? {
        var restricted = self
        restricted.segments = segments.filter { segment in
            segment.start.latitude >= area.south && segment.end.latitude <= area.north
                && segment.start.longitude <= area.east && segment.end.longitude >= area.west
        }
        return restricted.segments.isEmpty ? nil : restricted
    }
}
