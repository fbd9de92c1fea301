import DemoCity

extension TileRenderer {
    func renderShore(_ canvas: TileProjection, _ style: TileStyle, in svg: inout TileSVG) {
        var path = TilePath()
        var trees = TilePath()
        for block in city.blocks(in: canvas.bounds) where block.use == .shore {
            path.addBox(canvas.box(block.bounds))
            if style.hasTrees { trees.addTrees(in: block.bounds, density: 0.25, canvas) }
        }
        svg.add(path, fill: TileStyle.shore)
        svg.add(trees, stroke: TileStyle.tree, width: 9 * style.scale)
    }

    func renderBlocks(_ canvas: TileProjection, _ style: TileStyle, in svg: inout TileSVG) {
        var blocks = TilePath()
        var interiors = TilePath()
        var houses = TilePath()
        for block in city.blocks(in: canvas.bounds) where block.use == .built {
            blocks.addBox(canvas.box(block.bounds.expanded(byLatitude: -BlockMargin.latitude, longitude: -BlockMargin.longitude)))
            guard style.hasHouses else { continue }
            interiors.addBox(canvas.box(block.bounds.expanded(byLatitude: -InteriorMargin.latitude, longitude: -InteriorMargin.longitude)))
            for house in HouseLayout.houses(of: block).map({ canvas.box($0) }) where house.isVisible {
                houses.addBox(house)
            }
        }
        svg.add(blocks, fill: TileStyle.block)
        svg.add(interiors, fill: TileStyle.blockInterior)
        svg.add(houses, fill: TileStyle.house, stroke: TileStyle.houseEdge, width: style.zoom >= 17 ? 0.8 : 0.4)
    }

    func renderParks(_ canvas: TileProjection, _ style: TileStyle, in svg: inout TileSVG) {
        for park in city.parks(in: canvas.bounds) {
            let lawn = canvas.box(park.bounds.expanded(byLatitude: -BlockMargin.latitude, longitude: -BlockMargin.longitude))
            let radius = Pixel(12 * style.scale)
            svg.add(
                #"<rect x="\#(lawn.left)" y="\#(lawn.top)" rx="\#(radius)" width="\#(lawn.right - lawn.left)" "#)
            svg.add(
                #"height="\#(lawn.bottom - lawn.top)" fill="\#(TileStyle.park)" stroke="\#(TileStyle.parkEdge)"/>"#)
            guard style.hasBlocks else { continue }
            renderPaths(lawn, style, in: &svg)
            guard style.hasTrees else { continue }
            var trees = TilePath()
            trees.addTrees(in: park.bounds, density: 0.6, canvas)
            svg.add(trees, stroke: TileStyle.tree, width: 9 * style.scale)
        }
    }

    /// Draws two curved paths across a park.
    private func renderPaths(_ lawn: TileBox, _ style: TileStyle, in svg: inout TileSVG) {
        func x(_ share: Int) -> Pixel { Pixel(tenths: lawn.left.tenths + (lawn.right - lawn.left).tenths * share / 12) }
        func y(_ share: Int) -> Pixel { Pixel(tenths: lawn.top.tenths + (lawn.bottom - lawn.top).tenths * share / 12) }
        svg.add(#"<path d="M\#(x(0)) \#(y(3))C\#(x(5)) \#(y(1)) \#(x(5)) \#(y(11)) \#(x(12)) \#(y(8))"#)
        svg.add(#"M\#(x(3)) \#(y(12))C\#(x(1)) \#(y(6)) \#(x(10)) \#(y(7)) \#(x(9)) \#(y(0))" fill="none" "#)
        svg.add(#"stroke="\#(TileStyle.parkPath)" stroke-width="\#(Pixel(max(1, 4 * style.scale)))"/>"#)
    }
}

/// The distance from the center line of a road to the gardens behind the houses, 20 m in degrees.
private enum InteriorMargin {
    static let latitude = 0.00018
    static let longitude = 0.000237
}

/// The distance from the center line of a road to the edge of a block, 9 m in degrees.
private enum BlockMargin {
    static let latitude = 0.000081
    static let longitude = 0.000107
}
