import DemoCity

extension TileRenderer {
    /// Draws the names of streets, avenues and parks at positions fixed in the city; every intersected tile draws the label.
    func renderLabels(_ canvas: TileProjection, _ style: TileStyle, in svg: inout TileSVG) {
        let labels = labels(canvas, style).filter(\.box.isVisible)
        guard !labels.isEmpty else { return }
        let size = Pixel(style.fontSize)
        svg.add(#"<g font-family="system-ui,sans-serif" font-size="\#(size)" text-anchor="middle" "#)
        svg.add(##"fill="\##(TileStyle.textColor)" stroke="#fff" stroke-width="2.5" stroke-linejoin="round" "##)
        svg.add(#"paint-order="stroke">"#)
        for label in labels { svg.add(label.element) }
        svg.add("</g>")
    }

    private func labels(_ canvas: TileProjection, _ style: TileStyle) -> [TileLabel] {
        // Half the length of a label may be outside of the tile.
        let area = canvas.tile.bounds(margin: 100)
        let roads = city.streets(in: area) + city.avenues(in: area)
        return roads.flatMap { names(of: $0, canvas, style) }
            + city.parks(in: area).compactMap { name(of: $0, canvas, style) }
    }

    private func names(of road: Road, _ canvas: TileProjection, _ style: TileStyle) -> [TileLabel] {
        let isStreet = road.direction == .eastWest
        let labelStride = isStreet ? (style.zoom == 16 ? 2 : 1) : (style.zoom == 16 ? 6 : style.zoom == 17 ? 3 : 2)
        return road.segments.filter { !$0.isBridge }.flatMap { segment in
            segment.blocks.filter { ($0 + road.number * (isStreet ? 1 : 2)) % labelStride == 0 }.map { block in
                let middle = segment.middle(ofBlock: block)
                return TileLabel(
                    text: road.name, x: canvas.x(middle.longitude), y: canvas.y(middle.latitude),
                    size: style.fontSize, isRotated: !isStreet
                )
            }
        }
    }

    /// Returns the label of a park near its northern edge; nil when it is wider than the park.
    private func name(of park: Park, _ canvas: TileProjection, _ style: TileStyle) -> TileLabel? {
        let label = TileLabel(
            text: park.name,
            x: canvas.x((park.bounds.west + park.bounds.east) / 2),
            y: canvas.y(park.bounds.north - 0.0006),
            size: style.fontSize + 1,
            attributes:
                ##" fill="\##(TileStyle.parkTextColor)" font-style="italic" font-size="\##(Pixel(style.fontSize + 1))""##
        )
        let lawn = canvas.box(park.bounds)
        return label.box.left > lawn.left && label.box.right < lawn.right ? label : nil
    }
}

/// A name on the map, centered on a point; rotated ones read from bottom to top.
struct TileLabel {
    var text: String
    var x: Pixel
    var y: Pixel
    var size: Double
    var isRotated = false
    var attributes = ""

    /// The maximum bounding box, with 0.75 em per byte, an upper bound for sans-serif fonts.
    var box: TileBox {
        let length = Pixel(Double(text.utf8.count) * size * 0.75 / 2 + 3)
        let height = Pixel(size)
        let (across, down) = isRotated ? (height, length) : (length, height)
        return TileBox(left: x - across, top: y - down, right: x + across, bottom: y + down)
    }

    var element: String {
        let rotation = isRotated ? #" transform="rotate(-90 \#(x) \#(y))""# : ""
        return #"<text x="\#(x)" y="\#(y)" dy=".35em"\#(attributes)\#(rotation)>\#(text)</text>"#
    }
}
