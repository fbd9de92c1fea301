extension City {
    /// The smallest rectangle around all blocks.
    package var bounds: Area {
        Area(
            south: Grid.latitude(ofStreet: Grid.streets.upperBound),
            west: Grid.longitude(ofAvenue: Grid.avenues.lowerBound),
            north: Grid.latitude(ofStreet: Grid.streets.lowerBound),
            east: Grid.longitude(ofAvenue: Grid.avenues.upperBound)
        )
    }

    /// The line around the built-up land, and some of the water.
    package var limits: Outline { landscape.limits }

    /// The bay and the river, and the pond in the park.
    package var water: [Outline] { [landscape.bay, landscape.river, landscape.pond] }

    /// Land in the middle of the bay, uninhabited.
    package var islands: [Outline] { [landscape.island] }

    /// All parks, whole.
    package var parks: [Park] { Park.all }

    /// The outlines of water that may reach into the area.
    package func water(in area: Area) -> [Outline] { water.filter { $0.bounds.overlaps(area) } }

    /// The islands that may reach into the area.
    package func islands(in area: Area) -> [Outline] { islands.filter { $0.bounds.overlaps(area) } }

    /// The parks that reach into the area.
    package func parks(in area: Area) -> [Park] { Park.all.filter { $0.area.overlaps(area) } }

    /// The named streets with a stretch in the area; only such stretches, whole.
    package func streets(in area: Area) -> [Road] { streets.compactMap { $0.part(in: area) } }

    /// The numbered avenues with a stretch in the area; only such stretches, whole.
    package func avenues(in area: Area) -> [Road] { avenues.compactMap { $0.part(in: area) } }

    /// The blocks of houses and of the promenade in the area.
    package func blocks(in area: Area) -> [Block] {
        Grid.rows(in: area).flatMap { row in
            Grid.columns(in: area).compactMap { column in block(column: column, row: row) }
        }
    }

    private func block(column: Int, row: Int) -> Block? {
        let use: Block.Use
        switch ground.use(column: column, row: row) {
        case .built: use = .houses
        case .shore: use = .promenade
        case .park, .water, .outside: return nil
        }
        return Block(avenue: column, street: row, use: use, area: Grid.block(column: column, row: row))
    }
}

extension Road {
    fileprivate func part(in area: Area) -> Road? {
        var part = self
        part.stretches = stretches.filter { stretch in
            stretch.start.latitude >= area.south && stretch.end.latitude <= area.north
                && stretch.start.longitude <= area.east && stretch.end.longitude >= area.west
        }
        return part.stretches.isEmpty ? nil : part
    }
}
