import DemoCity

extension TileRenderer {
    /// The names of streets, avenues and parks, each on a lattice of the city and drawn by every tile it touches.
    func drawLabels(_ canvas: TileProjection, _ style: TileStyle, in drawing: inout TileDrawing) {
        let labels = labels(canvas, style).filter(\.box.isVisible)
        guard !labels.isEmpty else { return }
        let size = Pixel(style.fontSize)
        drawing.add(#"<g font-family="system-ui,sans-serif" font-size="\#(size)" text-anchor="middle" "#)
        drawing.add(##"fill="\##(TileStyle.ink)" stroke="#fff" stroke-width="2.5" stroke-linejoin="round" "##)
        drawing.add(#"paint-order="stroke">"#)
        for label in labels { drawing.add(label.element) }
        drawing.add("</g>")
    }

    private func labels(_ canvas: TileProjection, _ style: TileStyle) -> [TileLabel] {
        // A label may begin as far outside the tile as half of it is long.
        let area = canvas.tile.area(margin: 100)
        let roads = city.streets(in: area) + city.avenues(in: area)
        return roads.flatMap { names(of: $0, canvas, style) }
            + city.parks(in: area).compactMap { name(of: $0, canvas, style) }
    }

    private func names(of road: Road, _ canvas: TileProjection, _ style: TileStyle) -> [TileLabel] {
        let isStreet = road.direction == .eastWest
        let labelStride = isStreet ? (style.zoom == 16 ? 2 : 1) : (style.zoom == 16 ? 6 : style.zoom == 17 ? 3 : 2)
        return road.segments.filter { !$0.isBridge }.flatMap { stretch in
            stretch.blocks.filter { ($0 + road.number * (isStreet ? 1 : 2)) % labelStride == 0 }.map { block in
                let middle = stretch.midpoint(ofBlock: block)
                return TileLabel(
                    text: road.name, x: canvas.x(middle.longitude), y: canvas.y(middle.latitude),
                    size: style.fontSize, isVertical: !isStreet
                )
            }
        }
    }

    /// The name of a park near its northern edge; nil where it is longer than the park is wide.
    private func name(of park: Park, _ canvas: TileProjection, _ style: TileStyle) -> TileLabel? {
        let label = TileLabel(
            text: park.name,
            x: canvas.x((park.bounds.west + park.bounds.east) / 2),
            y: canvas.y(park.bounds.north - 0.0006),
            size: style.fontSize + 1,
            attributes:
                ##" fill="\##(TileStyle.parkInk)" font-style="italic" font-size="\##(Pixel(style.fontSize + 1))""##
        )
        let lawn = canvas.box(park.bounds)
        return label.box.left > lawn.left && label.box.right < lawn.right ? label : nil
    }
}

/// A name on the map, centred on a point; upright ones read from below to above.
struct TileLabel {
    var text: String
    var x: Pixel
    var y: Pixel
    var size: Double
    var isVertical = false
    var attributes = ""

    /// The room it takes at most, with 0.75 em to a letter: wider than any sans-serif needs.
    var box: TileBox {
        let length = Pixel(Double(text.utf8.count) * size * 0.75 / 2 + 3)
        let height = Pixel(size)
        let (across, down) = isVertical ? (height, length) : (length, height)
        return TileBox(left: x - across, top: y - down, right: x + across, bottom: y + down)
    }

    var element: String {
        let rotation = isVertical ? #" transform="rotate(-90 \#(x) \#(y))""# : ""
        return #"<text x="\#(x)" y="\#(y)" dy=".35em"\#(attributes)\#(rotation)>\#(text)</text>"#
    }
}
