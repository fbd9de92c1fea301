import DemoCity

extension TileArtist {
    func promenades(_ canvas: TileCanvas, _ style: TileStyle, in drawing: inout TileDrawing) {
        var path = TilePath()
        var trees = TilePath()
        for block in city.blocks(in: canvas.area) where block.use == .promenade {
            path.rectangle(canvas.box(block.area))
            if style.showsTrees { trees.plant(on: block.area, density: 0.25, canvas) }
        }
        drawing.add(path, fill: TileStyle.promenade)
        drawing.add(trees, line: TileStyle.tree, width: 9 * style.scale)
    }

    func blocks(_ canvas: TileCanvas, _ style: TileStyle, in drawing: inout TileDrawing) {
        var blocks = TilePath()
        var yards = TilePath()
        var houses = TilePath()
        for block in city.blocks(in: canvas.area) where block.use == .houses {
            blocks.rectangle(canvas.box(block.area.grown(latitude: -Kerb.latitude, longitude: -Kerb.longitude)))
            guard style.showsHouses else { continue }
            yards.rectangle(canvas.box(block.area.grown(latitude: -Yard.latitude, longitude: -Yard.longitude)))
            for house in HouseRow.houses(of: block).map({ canvas.box($0) }) where house.isSeen {
                houses.rectangle(house)
            }
        }
        drawing.add(blocks, fill: TileStyle.block)
        drawing.add(yards, fill: TileStyle.yard)
        drawing.add(houses, fill: TileStyle.house, edge: TileStyle.houseEdge, width: style.zoom >= 17 ? 0.8 : 0.4)
    }

    func parks(_ canvas: TileCanvas, _ style: TileStyle, in drawing: inout TileDrawing) {
        for park in city.parks(in: canvas.area) {
            let lawn = canvas.box(park.area.grown(latitude: -Kerb.latitude, longitude: -Kerb.longitude))
            let radius = Pixel(12 * style.scale)
            drawing.add(
                #"<rect x="\#(lawn.left)" y="\#(lawn.top)" rx="\#(radius)" width="\#(lawn.right - lawn.left)" "#)
            drawing.add(
                #"height="\#(lawn.bottom - lawn.top)" fill="\#(TileStyle.park)" stroke="\#(TileStyle.parkEdge)"/>"#)
            guard style.showsBlocks else { continue }
            paths(lawn, style, in: &drawing)
            guard style.showsTrees else { continue }
            var trees = TilePath()
            trees.plant(on: park.area, density: 0.6, canvas)
            drawing.add(trees, line: TileStyle.tree, width: 9 * style.scale)
        }
    }

    /// Two bent paths from side to side of a park.
    private func paths(_ lawn: TileBox, _ style: TileStyle, in drawing: inout TileDrawing) {
        func x(_ share: Int) -> Pixel { Pixel(tenths: lawn.left.tenths + (lawn.right - lawn.left).tenths * share / 12) }
        func y(_ share: Int) -> Pixel { Pixel(tenths: lawn.top.tenths + (lawn.bottom - lawn.top).tenths * share / 12) }
        drawing.add(#"<path d="M\#(x(0)) \#(y(3))C\#(x(5)) \#(y(1)) \#(x(5)) \#(y(11)) \#(x(12)) \#(y(8))"#)
        drawing.add(#"M\#(x(3)) \#(y(12))C\#(x(1)) \#(y(6)) \#(x(10)) \#(y(7)) \#(x(9)) \#(y(0))" fill="none" "#)
        drawing.add(#"stroke="\#(TileStyle.parkPath)" stroke-width="\#(Pixel(max(1, 4 * style.scale)))"/>"#)
    }
}

/// From the middle of a road to the gardens behind the houses, 20 m in degrees.
private enum Yard {
    static let latitude = 0.00018
    static let longitude = 0.000237
}

/// From the middle of a road to the edge of a block, 9 m in degrees.
private enum Kerb {
    static let latitude = 0.000081
    static let longitude = 0.000107
}
