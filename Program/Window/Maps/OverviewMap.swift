import DemoCity

/// The part of a map that contains some places.
struct OverviewMap {
    /// The size of the area in which the places lie, in pixels. It fits on a phone.
    private static let size = (width: 320.0, height: 330.0)
    /// The distance from the center to the left and to the right edge of the widest page, in pixels.
    private static let halfWidth = 640.0
    private static let zoomRange = 3...16

    private let places: [Coordinate]
    private let source: MapSource
    private let zoom: Int
    private let center: Coordinate

    /// Creates a map.
    ///
    /// - Returns: Nil without places, or beyond the latitudes of the projection or the date line.
    init?(_ places: [Coordinate], in source: MapSource) {
        guard !places.isEmpty, places.allSatisfy({ abs($0.latitude) < 85 && abs($0.longitude) <= 180 }) else { return nil }
        let (latitudes, longitudes) = (places.map(\.latitude), places.map(\.longitude))
        guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(), let east = longitudes.max() else {
            return nil
        }
        (self.places, self.source) = (places, source)
        center = Coordinate(latitude: (south + north) / 2, longitude: (west + east) / 2)
        zoom =
            Self.zoomRange.reversed().first { zoom in
                let mercator = Mercator(zoom: zoom)
                return mercator.x(east) - mercator.x(west) <= Self.size.width && mercator.y(south) - mercator.y(north) <= Self.size.height
            } ?? Self.zoomRange.lowerBound
    }

    /// Returns the template context of the map.
    func context(names: [String], label: String, _ texts: LocalizedStrings) -> TemplateContext.OverviewMap {
        let mercator = Mercator(zoom: zoom)
        let points = places.map { place in
            (
                x: Int((mercator.x(place.longitude) - mercator.x(center.longitude)).rounded()),
                y: Int((mercator.y(place.latitude) - mercator.y(center.latitude)).rounded())
            )
        }
        var placement = LabelPlacement(pins: points)
        let pins = zip(points, names).map { point, name in
            TemplateContext.OverviewPin(
                x: point.x, y: point.y, name: name, shownName: placement.place(name, above: point) ? name : nil)
        }
        return TemplateContext.OverviewMap(
            tiles: MapView.tiles(around: center, zoom: zoom, width: Self.halfWidth, source.tilesQuery ?? ""), pins: pins, label: label,
            attribution: source.attribution(texts), hasKnownColors: source.hasKnownColors)
    }
}

/// The choice of labels that cover neither each other nor the pins of others: the first of two stays.
private struct LabelPlacement {
    private struct Box {
        let x: ClosedRange<Int>
        let y: ClosedRange<Int>

        func intersects(_ other: Box) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }
    }

    /// The estimated width of a character, in pixels.
    private static let characterWidth = 8
    /// The pixels above a point that its pin and its label cover.
    private static let (pinHeight, pinHalfWidth, label) = (38, 13, 44...62)

    private let pins: [Box]
    private var labels: [Box] = []

    init(pins points: [(x: Int, y: Int)]) {
        pins = points.map { Box(x: $0.x - Self.pinHalfWidth...$0.x + Self.pinHalfWidth, y: $0.y - Self.pinHeight...$0.y) }
    }

    /// Returns whether the label of a pin has room.
    mutating func place(_ name: String, above point: (x: Int, y: Int)) -> Bool {
        let half = name.count * Self.characterWidth / 2
        let box = Box(x: point.x - half...point.x + half, y: point.y - Self.label.upperBound...point.y - Self.label.lowerBound)
        guard !(pins + labels).contains(where: box.intersects) else { return false }
        labels.append(box)
        return true
    }
}
