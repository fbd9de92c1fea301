import DemoCity

extension TileArtist {
    /// Roads from the least to the greatest: all edges first, so that crossings are open, then bridges above the water.
    func roads(_ canvas: TileCanvas, _ style: TileStyle, in drawing: inout TileDrawing) {
        var minor = TilePath()
        var main = TilePath()
        var bridges = TilePath()
        for road in city.streets(in: canvas.area) + city.avenues(in: canvas.area) {
            guard road.isMain ? style.showsMainRoad(road.number) : style.showsStreets else { continue }
            for stretch in road.stretches {
                let line = canvas.line(stretch)
                if stretch.isBridge { bridges.line(line) }
                if road.isMain { main.line(line) } else { minor.line(line) }
            }
        }
        let edges = (minor: style.casing(isMain: false), main: style.casing(isMain: true))
        if style.zoom >= 14 { drawing.add(minor, line: TileStyle.streetEdge, width: edges.minor) }
        drawing.add(main, line: TileStyle.mainRoadEdge, width: edges.main)
        if style.zoom >= 13 {
            drawing.add(bridges, line: TileStyle.bridgeEdge, width: edges.main + 1.2, cap: "butt")
        }
        let color = style.zoom >= 14 ? TileStyle.street : TileStyle.streetEdge
        drawing.add(minor, line: color, width: style.width(isMain: false))
        drawing.add(main, line: TileStyle.mainRoad, width: style.width(isMain: true))
    }
}

extension TileCanvas {
    /// A stretch of road, cut a little beyond the tile so that its numbers stay short.
    func line(_ stretch: Road.Stretch) -> TileBox {
        TileBox(
            left: x(max(stretch.start.longitude, area.west)),
            top: y(min(stretch.start.latitude, area.north)),
            right: x(min(stretch.end.longitude, area.east)),
            bottom: y(max(stretch.end.latitude, area.south))
        )
    }
}
