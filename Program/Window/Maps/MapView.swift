import DemoCity
import Foundation

/// The part of a map around one pin, as shown before the page's script runs.
struct MapView {
    /// The half side of the square covered with tiles, in pixels.
    private static let mapRadius = 320.0
    /// The maximum length of the radius at the chosen zoom, in pixels.
    private static let radiusLimit = 120.0
    private static let zoomRange = 3...17

    let pin: Coordinate
    /// The radius in meters.
    let radius: Double
    let zoom: Int

    /// - Returns: nil for a pin beyond the latitudes of the projection or the date line, and for (0, 0), which denotes an unknown location.
    init?(pin: Coordinate, radius: Double) {
        guard abs(pin.latitude) < 85, abs(pin.longitude) <= 180, pin.latitude != 0 || pin.longitude != 0 else { return nil }
        self.pin = pin
        self.radius = max(0, radius)
        zoom =
            Self.zoomRange.reversed().first { zoom in
                radius * Mercator(zoom: zoom).pixelsPerMeter(atLatitude: pin.latitude) <= Self.radiusLimit
            } ?? Self.zoomRange.lowerBound
    }

    /// Returns the template context of the map.
    ///
    /// - Parameters:
    ///   - address: The address, whose first part labels the pin; the page shows the whole address below the map.
    ///   - source: The source of the tiles.
    func context(label: String, address: String?, source: MapSource, _ texts: LocalizedStrings) -> TemplateContext.Map {
        let pixels = radius * Mercator(zoom: zoom).pixelsPerMeter(atLatitude: pin.latitude)
        return TemplateContext.Map(
            latitude: pin.latitude, longitude: pin.longitude, zoom: zoom, radiusInMeters: radius,
            radiusInPixels: (pixels * 10).rounded() / 10, tilesQuery: source.tilesQuery, hasKnownColors: source.hasKnownColors,
            tiles: Self.tiles(around: pin, zoom: zoom, source.tilesQuery ?? ""),
            label: label, street: address.map(Self.street(of:)), attribution: source.attribution(texts))
    }

    private static func street(of address: String) -> String { String(address.prefix { !",，،\n".contains($0) }).truncated(to: 40) }

    /// Returns the tiles of a rectangle around a place, with their offsets from it.
    ///
    /// - Parameter width: The distance from the place to the left and to the right edge, in pixels.
    static func tiles(around place: Coordinate, zoom: Int, width: Double = mapRadius, _ query: String) -> [TemplateContext.MapTile] {
        let mercator = Mercator(zoom: zoom)
        let (x, y, side) = (mercator.x(place.longitude), mercator.y(place.latitude), Double(Tile.side))
        func span(around middle: Double, _ distance: Double) -> ClosedRange<Int> {
            Int(((middle - distance) / side).rounded(.down))...Int(((middle + distance) / side).rounded(.down))
        }
        return span(around: y, mapRadius).flatMap { row in
            span(around: x, width).compactMap { column in
                Tile(zoom: zoom, x: column, y: row).map { tile in
                    TemplateContext.MapTile(
                        href: "/tiles/\(tile.zoom)/\(tile.x)/\(tile.y)\(query)",
                        x: Int((Double(tile.x) * side - x).rounded()), y: Int((Double(tile.y) * side - y).rounded()))
                }
            }
        }
    }
}
