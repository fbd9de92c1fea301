import DemoCity

/// A renderer of the demo city as seamless map tiles, each an SVG of at most `maximumSize` bytes.
struct TileRenderer: Sendable {
    /// The maximum size of a tile in bytes.
    static let maximumSize = 20_000

    let city: City

    /// Returns the SVG document of a tile; deterministic for each tile.
    func svg(_ tile: Tile) -> String {
        let canvas = TileProjection(tile: tile, city: city)
        let style = TileStyle(zoom: tile.zoom, scale: canvas.scale)
        var drawing = TileSVG()
        drawing.background(tile)
        if !style.hasCity {
            renderCityMarker(canvas, in: &drawing)
        } else {
            renderLand(canvas, style, in: &drawing)
            renderWater(canvas, style, in: &drawing)
            renderRoads(canvas, style, in: &drawing)
            if style.hasLabels { renderLabels(canvas, style, in: &drawing) }
        }
        return drawing.document
    }

    /// Draws a dot at the position of the city, for zooms at which the city itself is too small.
    private func renderCityMarker(_ canvas: TileProjection, in drawing: inout TileSVG) {
        let x = canvas.x(city.center.longitude)
        let y = canvas.y(city.center.latitude)
        let radius = Pixel(9)
        guard TileBox(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius).isVisible else { return }
        drawing.add(#"<circle cx="\#(x)" cy="\#(y)" r="7.5" fill="\#(TileStyle.cityMarker)" fill-opacity=".25"/>"#)
        drawing.add(
            ##"<circle cx="\##(x)" cy="\##(y)" r="3.5" fill="\##(TileStyle.cityMarker)" stroke="#fff" stroke-width="1.5"/>"##)
    }

    private func renderLand(_ canvas: TileProjection, _ style: TileStyle, in drawing: inout TileSVG) {
        var limits = TilePath()
        limits.addPolygon(city.boundary, on: canvas)
        drawing.add(limits, fill: style.land, stroke: TileStyle.limits, width: style.zoom >= 13 ? 1.5 : 0.8)
        if style.hasParks {
            renderShore(canvas, style, in: &drawing)
            renderParks(canvas, style, in: &drawing)
        }
        if style.hasBlocks { renderBlocks(canvas, style, in: &drawing) }
    }

    private func renderWater(_ canvas: TileProjection, _ style: TileStyle, in drawing: inout TileSVG) {
        var water = TilePath()
        for outline in city.water(in: canvas.bounds) { water.addPolygon(outline, on: canvas) }
        let shoreWidth = style.zoom >= 13 ? 1.6 : 0.8
        drawing.add(water, fill: TileStyle.water, stroke: TileStyle.waterEdge, width: 2 * shoreWidth, mergesShapes: true)
        var islands = TilePath()
        for outline in city.islands(in: canvas.bounds) { islands.addPolygon(outline, on: canvas) }
        drawing.add(islands, fill: TileStyle.shore, stroke: TileStyle.waterEdge, width: 2 * shoreWidth, mergesShapes: true)
    }
}
