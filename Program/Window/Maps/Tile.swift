import DemoCity
import Foundation

/// A tile of the world map in the slippy-map scheme: Web Mercator, 256 by 256 pixels, y counted from the north.
struct Tile: Hashable, Sendable {
    static let zoomRange = 0...19
    static let side = 256

    let zoom: Int
    let x: Int
    let y: Int

    /// Creates a tile; nil for a zoom beyond 0…19, or an x or y outside of the world.
    init?(zoom: Int, x: Int, y: Int) {
        guard Self.zoomRange.contains(zoom) else { return nil }
        let row = 0..<(1 << zoom)
        guard row.contains(x), row.contains(y) else { return nil }
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// Creates the tile that contains a coordinate; nil beyond the latitudes of the projection, about 85 degrees.
    init?(zoom: Int, at coordinate: Coordinate) {
        guard Self.zoomRange.contains(zoom) else { return nil }
        let mercator = Mercator(zoom: zoom)
        let x = (mercator.x(coordinate.longitude) / Double(Self.side)).rounded(.down)
        let y = (mercator.y(coordinate.latitude) / Double(Self.side)).rounded(.down)
        guard let column = Int(exactly: x), let row = Int(exactly: y) else { return nil }
        self.init(zoom: zoom, x: column, y: row)
    }

    /// The area that the tile shows.
    var bounds: BoundingBox { bounds(margin: 0) }

    /// Returns the area with a margin on every side, in pixels.
    func bounds(margin: Double) -> BoundingBox {
        let mercator = Mercator(zoom: zoom)
        let side = Double(Self.side)
        return BoundingBox(
            south: mercator.latitude(y: Double(y + 1) * side + margin),
            west: mercator.longitude(x: Double(x) * side - margin),
            north: mercator.latitude(y: Double(y) * side - margin),
            east: mercator.longitude(x: Double(x + 1) * side + margin)
        )
    }
}

/// The Web Mercator projection of the globe to a square of pixels, whose size doubles with each zoom.
struct Mercator {
    /// The circumference of the equator, in pixels.
    let worldSize: Double

    init(zoom: Int) {
        worldSize = Double(Tile.side << zoom)
    }

    func x(_ longitude: Double) -> Double { (longitude + 180) / 360 * worldSize }

    func y(_ latitude: Double) -> Double {
        (1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2 * worldSize
    }

    func longitude(x: Double) -> Double { x / worldSize * 360 - 180 }

    func latitude(y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y / worldSize))) * 180 / .pi }

    /// Returns the number of pixels per meter at a latitude.
    func pixelsPerMeter(atLatitude latitude: Double) -> Double {
        worldSize / (40_075_016.7 * cos(latitude * .pi / 180))
    }
}
