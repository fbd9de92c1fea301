import DemoCity

extension TileRenderer {
    /// Draws roads from minor to main: all edges first, so that crossings are open, and bridges above the water.
    func renderRoads(_ canvas: TileProjection, _ style: TileStyle, in svg: inout TileSVG) {
        var minor = TilePath()
        var main = TilePath()
        var bridges = TilePath()
        for road in city.streets(in: canvas.bounds) + city.avenues(in: canvas.bounds) {
            guard road.isMain ? style.hasMainRoad(road.number) : style.hasStreets else { continue }
            for stretch in road.segments {
                let line = canvas.line(stretch)
                if stretch.isBridge { bridges.addLine(line) }
                if road.isMain { main.addLine(line) } else { minor.addLine(line) }
            }
        }
        let edges = (minor: style.casingWidth(isMain: false), main: style.casingWidth(isMain: true))
        if style.zoom >= 14 { svg.add(minor, stroke: TileStyle.streetEdge, width: edges.minor) }
        svg.add(main, stroke: TileStyle.mainRoadEdge, width: edges.main)
        if style.zoom >= 13 {
            svg.add(bridges, stroke: TileStyle.bridgeEdge, width: edges.main + 1.2, cap: "butt")
        }
        let color = style.zoom >= 14 ? TileStyle.street : TileStyle.streetEdge
        svg.add(minor, stroke: color, width: style.roadWidth(isMain: false))
        svg.add(main, stroke: TileStyle.mainRoad, width: style.roadWidth(isMain: true))
    }
}

extension TileProjection {
    /// Returns a road segment clipped to slightly more than the tile, so that its coordinates are short.
    func line(_ stretch: Road.Segment) -> TileBox {
        TileBox(
            left: x(max(stretch.start.longitude, bounds.west)),
            top: y(min(stretch.start.latitude, bounds.north)),
            right: x(min(stretch.end.longitude, bounds.east)),
            bottom: y(max(stretch.end.latitude, bounds.south))
        )
    }
}
