/// A builder of roads along the grid, not through parks or over the bay, and over the river only as bridges of main roads.
struct RoadBuilder {
    var landUse: LandUseMap
    var landscape: Landscape

    /// The maximum length of a bridge in blocks: avenues cross many short blocks, streets few long ones.
    private static let maximumBridgeLength = (avenue: 8, street: 3)

    private enum BlockSegment { case none, road, river }

    func streets() -> [Road] {
        Grid.streets.map { index in
            let latitude = Grid.latitude(ofStreet: index)
            let corner = { (avenue: Int) in Coordinate(latitude: latitude, longitude: Grid.longitude(ofAvenue: avenue))
            }
            let waterEdges = WaterEdges(landscape, south: latitude, north: latitude)
            let blockSegments = Grid.columns.map { column in
                blockSegment(
                    from: corner(column), to: corner(column + 1),
                    between: [index - 1, index].map { landUse.use(column: column, row: $0) },
                    isMain: Grid.isMain(index), waterEdges: waterEdges
                )
            }
            return Road(
                name: StreetNames.all[index], number: index, direction: .eastWest, isMain: Grid.isMain(index),
                segments: Self.segments(blockSegments, from: 1, maximumBridgeLength: Self.maximumBridgeLength.street, corner: corner)
            )
        }
    }

    func avenues() -> [Road] {
        let waterEdges = Grid.rows.map { row in
            WaterEdges(
                landscape, south: Grid.latitude(ofStreet: row + 1), north: Grid.latitude(ofStreet: row))
        }
        return Grid.avenues.map { number in
            let longitude = Grid.longitude(ofAvenue: number)
            let corner = { (street: Int) in Coordinate(latitude: Grid.latitude(ofStreet: street), longitude: longitude)
            }
            let blockSegments = Grid.rows.map { row in
                blockSegment(
                    from: corner(row), to: corner(row + 1),
                    between: [number - 1, number].map { landUse.use(column: $0, row: row) },
                    isMain: Grid.isMain(number), waterEdges: waterEdges[row]
                )
            }
            return Road(
                name: StreetNames.avenue(number), number: number, direction: .northSouth, isMain: Grid.isMain(number),
                segments: Self.segments(blockSegments, from: 0, maximumBridgeLength: Self.maximumBridgeLength.avenue, corner: corner)
            )
        }
    }

    /// Returns the road along one block, which exists for adjacent houses and parks, or to connect a main road to its bridge.
    private func blockSegment(
        from start: Coordinate, to end: Coordinate, between sides: [LandUseMap.Use], isMain: Bool, waterEdges: WaterEdges
    ) -> BlockSegment {
        if case .park = sides[0], sides[0] == sides[1] { return .none }
        if sides.contains(.built) { return .road }
        let strip = BoundingBox(south: end.latitude, west: start.longitude, north: start.latitude, east: end.longitude)
            .expanded(by: Grid.waterMargin)
        if sides.allSatisfy({ $0 == .beyondBoundary }) || waterEdges.bay.intersects(strip) { return .none }
        if waterEdges.river.intersects(strip) { return isMain ? .river : .none }
        return isMain || sides.contains(where: \.isPark) ? .road : .none
    }

    /// Joins block segments. A bridge counts only if it is short and connects to a road at both ends.
    private static func segments(
        _ blockSegments: [BlockSegment], from first: Int, maximumBridgeLength: Int, corner: (Int) -> Coordinate
    ) -> [Road.Segment] {
        var segments: [Road.Segment] = []
        var start = 0
        while start < blockSegments.count {
            let end = blockSegments[start...].firstIndex { $0 != blockSegments[start] } ?? blockSegments.count
            let isBridge = blockSegments[start] == .river
            let endsOnRoad = start > 0 && blockSegments[start - 1] == .road && end < blockSegments.count && blockSegments[end] == .road
            if blockSegments[start] == .road || isBridge && endsOnRoad && end - start <= maximumBridgeLength {
                let blocks = first + start..<first + end
                segments.append(
                    Road.Segment(
                        start: corner(blocks.lowerBound), end: corner(blocks.upperBound), isBridge: isBridge,
                        blocks: blocks
                    ))
            }
            start = end
        }
        return segments
    }
}

/// The edges of the water in a band of latitude, including the water margin.
private struct WaterEdges {
    var bay: PolygonSlice
    var river: PolygonSlice

    init(_ landscape: Landscape, south: Double, north: Double) {
        bay = landscape.bay.slice(south: south - Grid.waterMargin, north: north + Grid.waterMargin)
        river = landscape.river.slice(south: south - Grid.waterMargin, north: north + Grid.waterMargin)
    }
}
