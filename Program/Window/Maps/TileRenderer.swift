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
        var svg = TileSVG()
        svg.addBackground()
        if !style.hasCity {
            renderCityMarker(canvas, in: &svg)
        } else {
            renderLand(canvas, style, in: &svg)
            renderWater(canvas, style, in: &svg)
            renderRoads(canvas, style, in: &svg)
            if style.hasLabels { renderLabels(canvas, style, in: &svg) }
        }
        return svg.document
    }

    /// Draws a dot at the position of the city, for zooms at which the city itself is too small.
    private func renderCityMarker(_ canvas: TileProjection, in svg: inout TileSVG) {
        let x = canvas.x(city.center.longitude)
        let y = canvas.y(city.center.latitude)
        let radius = Pixel(9)
        guard TileBox(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius).isVisible else { return }
        svg.add(#"<circle cx="\#(x)" cy="\#(y)" r="7.5" fill="\#(TileStyle.cityMarker)" fill-opacity=".25"/>"#)
        svg.add(
            ##"<circle cx="\##(x)" cy="\##(y)" r="3.5" fill="\##(TileStyle.cityMarker)" stroke="#fff" stroke-width="1.5"/>"##)
    }

    private func renderLand(_ canvas: TileProjection, _ style: TileStyle, in svg: inout TileSVG) {
        var limits = TilePath()
        limits.addPolygon(city.boundary, on: canvas)
        svg.add(limits, fill: style.land, stroke: TileStyle.limits, width: style.zoom >= 13 ? 1.5 : 0.8)
        if style.hasParks {
            renderShore(canvas, style, in: &svg)
            renderParks(canvas, style, in: &svg)
        }
        if style.hasBlocks { renderBlocks(canvas, style, in: &svg) }
    }

    private func renderWater(_ canvas: TileProjection, _ style: TileStyle, in svg: inout TileSVG) {
        var water = TilePath()
        for outline in city.water(in: canvas.bounds) { water.addPolygon(outline, on: canvas) }
        let shoreWidth = style.zoom >= 13 ? 1.6 : 0.8
        svg.add(water, fill: TileStyle.water, stroke: TileStyle.waterEdge, width: 2 * shoreWidth, mergesShapes: true)
        var islands = TilePath()
        for outline in city.islands(in: canvas.bounds) { islands.addPolygon(outline, on: canvas) }
        svg.add(islands, fill: TileStyle.shore, stroke: TileStyle.waterEdge, width: 2 * shoreWidth, mergesShapes: true)
    }
}
