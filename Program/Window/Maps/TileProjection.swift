import DemoCity

/// The projection of coordinates to pixels of one tile.
///
/// Points are rounded in world coordinates, before the tile's corner is subtracted, so that adjacent tiles round alike.
struct TileProjection {
    let tile: Tile
    /// The area of the tile with a margin, in which the ends of wide roads are invisible.
    let bounds: BoundingBox
    /// The number of pixels per meter at the city's center, for all tiles of a zoom, so that roads have the same width in each.
    let scale: Double
    private let mercator: Mercator

    init(tile: Tile, city: City) {
        self.tile = tile
        mercator = Mercator(zoom: tile.zoom)
        scale = mercator.pixelsPerMeter(atLatitude: city.center.latitude)
        bounds = tile.bounds(margin: 24 + 10 * scale)
    }

    func x(_ longitude: Double) -> Pixel {
        Pixel(tenths: Int((mercator.x(longitude) * 10).rounded()) - tile.x * Tile.side * 10)
    }

    func y(_ latitude: Double) -> Pixel {
        Pixel(tenths: Int((mercator.y(latitude) * 10).rounded()) - tile.y * Tile.side * 10)
    }

    func box(_ area: BoundingBox) -> TileBox {
        TileBox(left: x(area.west), top: y(area.north), right: x(area.east), bottom: y(area.south))
    }
}

/// A length on a tile in tenths of a pixel.
struct Pixel: Hashable, Comparable, CustomStringConvertible {
    var tenths: Int

    init(tenths: Int) { self.tenths = tenths }
    init(_ length: Double) { tenths = Int((length * 10).rounded()) }

    /// The length in SVG notation: "12", "-0.5".
    var description: String {
        guard tenths % 10 != 0 else { return "\(tenths / 10)" }
        return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }

    static func < (a: Pixel, b: Pixel) -> Bool { a.tenths < b.tenths }
    static func + (a: Pixel, b: Pixel) -> Pixel { Pixel(tenths: a.tenths + b.tenths) }
    static func - (a: Pixel, b: Pixel) -> Pixel { Pixel(tenths: a.tenths - b.tenths) }
}

/// An axis-aligned rectangle on a tile.
struct TileBox: Hashable {
    var left: Pixel
    var top: Pixel
    var right: Pixel
    var bottom: Pixel

    /// Whether the rectangle intersects the tile.
    var isVisible: Bool {
        let side = Pixel(tenths: Tile.side * 10)
        return left < side && top < side && right > Pixel(tenths: 0) && bottom > Pixel(tenths: 0)
    }
}
