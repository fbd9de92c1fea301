/// The SVG elements of one tile in painting order.
struct TileSVG {
    private var elements = ""

    /// The complete SVG document.
    var document: String {
        let side = Tile.side
        return #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(side)" height="\#(side)" "#
            + #"viewBox="0 0 \#(side) \#(side)">"# + elements + "</svg>\n"
    }

    mutating func add(_ element: String) {
        elements += element
    }

    /// Adds the background: open country with a faint grid that is continuous across tiles.
    mutating func addBackground() {
        add(#"<rect width="256" height="256" fill="\#(TileStyle.country)"/>"#)
        add(#"<path d="M0 .5H256M0 64.5H256M0 128.5H256M0 192.5H256M.5 0V256M64.5 0V256M128.5 0V256M192.5 0V256" "#)
        add(#"stroke="\#(TileStyle.countryGrid)"/>"#)
    }

    mutating func add(_ path: TilePath, fill: String) {
        guard !path.isEmpty else { return }
        add(#"<path d="\#(path.data)" fill="\#(fill)"/>"#)
    }

    /// Adds a filled and stroked shape; `mergesShapes` paints the stroke below the fill, so that overlapping shapes of the path merge.
    mutating func add(_ path: TilePath, fill: String, stroke: String, width: Double, mergesShapes: Bool = false) {
        guard !path.isEmpty else { return }
        add(#"<path d="\#(path.data)" fill="\#(fill)" stroke="\#(stroke)" stroke-width="\#(Pixel(width))""#)
        add(mergesShapes ? #" paint-order="stroke"/>"# : "/>")
    }

    /// Adds a stroked line, unless the path is empty.
    mutating func add(_ path: TilePath, stroke: String, width: Double, cap: String = "round") {
        guard !path.isEmpty else { return }
        add(#"<path d="\#(path.data)" fill="none" stroke="\#(stroke)" stroke-width="\#(Pixel(width))" "#)
        add(#"stroke-linecap="\#(cap)"/>"#)
    }
}
