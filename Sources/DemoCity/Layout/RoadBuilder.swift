/// Lays roads along the grid: not through parks or over the bay, and over the river only as a main road's bridge.
struct RoadBuilder {
    var ground: Ground
    var landscape: Landscape

    /// The longest bridge in blocks: avenues cross many short ones, streets few long ones.
    private static let longestBridge = (avenue: 8, street: 3)

    private enum Piece { case none, road, river }

    func streets() -> [Road] {
        Grid.streets.map { index in
            let latitude = Grid.latitude(ofStreet: index)
            let corner = { (avenue: Int) in Coordinate(latitude: latitude, longitude: Grid.longitude(ofAvenue: avenue))
            }
            let banks = Banks(landscape, south: latitude, north: latitude)
            let pieces = Grid.columns.map { column in
                piece(
                    from: corner(column), to: corner(column + 1),
                    between: [index - 1, index].map { ground.use(column: column, row: $0) },
                    isMain: Grid.isMain(index), banks: banks
                )
            }
            return Road(
                name: StreetNames.all[index], number: index, direction: .eastWest, isMain: Grid.isMain(index),
                stretches: Self.stretches(pieces, from: 1, longestBridge: Self.longestBridge.street, corner: corner)
            )
        }
    }

    func avenues() -> [Road] {
        let banks = Grid.rows.map { row in
            Banks(
                landscape, south: Grid.latitude(ofStreet: row + 1), north: Grid.latitude(ofStreet: row))
        }
        return Grid.avenues.map { number in
            let longitude = Grid.longitude(ofAvenue: number)
            let corner = { (street: Int) in Coordinate(latitude: Grid.latitude(ofStreet: street), longitude: longitude)
            }
            let pieces = Grid.rows.map { row in
                piece(
                    from: corner(row), to: corner(row + 1),
                    between: [number - 1, number].map { ground.use(column: $0, row: row) },
                    isMain: Grid.isMain(number), banks: banks[row]
                )
            }
            return Road(
                name: StreetNames.avenue(number), number: number, direction: .northSouth, isMain: Grid.isMain(number),
                stretches: Self.stretches(pieces, from: 0, longestBridge: Self.longestBridge.avenue, corner: corner)
            )
        }
    }

    /// One block's length of road: there for the houses and parks beside it, or to lead a main road to its bridge.
    private func piece(
        from start: Coordinate, to end: Coordinate, between sides: [Ground.Use], isMain: Bool, banks: Banks
    ) -> Piece {
        if case .park = sides[0], sides[0] == sides[1] { return .none }
        if sides.contains(.built) { return .road }
        let strip = Area(south: end.latitude, west: start.longitude, north: start.latitude, east: end.longitude)
            .grown(Grid.bank)
        if sides.allSatisfy({ $0 == .outside }) || banks.bay.touches(strip) { return .none }
        if banks.river.touches(strip) { return isMain ? .river : .none }
        return isMain || sides.contains(where: \.isPark) ? .road : .none
    }

    /// Joins pieces into stretches; a crossing of the river counts when it is short and lands on a road at both ends.
    private static func stretches(
        _ pieces: [Piece], from first: Int, longestBridge: Int, corner: (Int) -> Coordinate
    ) -> [Road.Stretch] {
        var stretches: [Road.Stretch] = []
        var start = 0
        while start < pieces.count {
            let end = pieces[start...].firstIndex { $0 != pieces[start] } ?? pieces.count
            let isBridge = pieces[start] == .river
            let lands = start > 0 && pieces[start - 1] == .road && end < pieces.count && pieces[end] == .road
            if pieces[start] == .road || isBridge && lands && end - start <= longestBridge {
                let blocks = first + start..<first + end
                stretches.append(
                    Road.Stretch(
                        start: corner(blocks.lowerBound), end: corner(blocks.upperBound), isBridge: isBridge,
                        blocks: blocks
                    ))
            }
            start = end
        }
        return stretches
    }
}

/// The edges of the water in a band of latitude and a bank's width to both sides.
private struct Banks {
    var bay: OutlineSlice
    var river: OutlineSlice

    init(_ landscape: Landscape, south: Double, north: Double) {
        bay = landscape.bay.slice(south: south - Grid.bank, north: north + Grid.bank)
        river = landscape.river.slice(south: south - Grid.bank, north: north + Grid.bank)
    }
}
