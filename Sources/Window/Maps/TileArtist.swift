import DemoCity

/// Draws the demo city as map tiles, each an SVG of at most `maximumSize` bytes that fits its neighbours seamlessly.
struct TileArtist: Sendable {
    /// The largest tile in bytes.
    static let maximumSize = 20_000

    let city: City

    /// The picture of a tile, an SVG document; the same for the same tile, always.
    func svg(_ tile: Tile) -> String {
        let canvas = TileCanvas(tile: tile, city: city)
        let style = TileStyle(zoom: tile.zoom, scale: canvas.scale)
        var drawing = TileDrawing()
        drawing.background(tile)
        if !style.showsCity {
            mark(canvas, in: &drawing)
        } else {
            land(canvas, style, in: &drawing)
            water(canvas, style, in: &drawing)
            roads(canvas, style, in: &drawing)
            if style.showsLabels { labels(canvas, style, in: &drawing) }
        }
        return drawing.document
    }

    /// A dot where the city is, for zooms at which there is nothing else to see.
    private func mark(_ canvas: TileCanvas, in drawing: inout TileDrawing) {
        let x = canvas.x(city.center.longitude)
        let y = canvas.y(city.center.latitude)
        let radius = Pixel(9)
        guard TileBox(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius).isSeen else { return }
        drawing.add(#"<circle cx="\#(x)" cy="\#(y)" r="7.5" fill="\#(TileStyle.mark)" fill-opacity=".25"/>"#)
        drawing.add(
            ##"<circle cx="\##(x)" cy="\##(y)" r="3.5" fill="\##(TileStyle.mark)" stroke="#fff" stroke-width="1.5"/>"##)
    }

    private func land(_ canvas: TileCanvas, _ style: TileStyle, in drawing: inout TileDrawing) {
        var limits = TilePath()
        limits.outline(city.limits, on: canvas)
        drawing.add(limits, fill: style.ground, edge: TileStyle.limits, width: style.zoom >= 13 ? 1.5 : 0.8)
        if style.showsParks {
            promenades(canvas, style, in: &drawing)
            parks(canvas, style, in: &drawing)
        }
        if style.showsBlocks { blocks(canvas, style, in: &drawing) }
    }

    private func water(_ canvas: TileCanvas, _ style: TileStyle, in drawing: inout TileDrawing) {
        var water = TilePath()
        for outline in city.water(in: canvas.area) { water.outline(outline, on: canvas) }
        let shore = style.zoom >= 13 ? 1.6 : 0.8
        drawing.add(water, fill: TileStyle.water, edge: TileStyle.shore, width: 2 * shore, melting: true)
        var islands = TilePath()
        for outline in city.islands(in: canvas.area) { islands.outline(outline, on: canvas) }
        drawing.add(islands, fill: TileStyle.promenade, edge: TileStyle.shore, width: 2 * shore, melting: true)
    }
}
