import DemoCity

/// The part of a map that contains some places.
struct OverviewMap {
    /// The size of the area in which the places lie, in pixels.
    private static let area = (width: 560.0, height: 220.0)
    private static let zoomRange = 3...16

    private let places: [Coordinate]
    private let source: MapSource
    private let zoom: Int
    private let centre: Coordinate

    /// Creates a map.
    ///
    /// - Returns: Nil without places, or beyond the latitudes of the projection.
    init?(_ places: [Coordinate], in source: MapSource) {
        guard !places.isEmpty, places.allSatisfy({ abs($0.latitude) < 85 }) else { return nil }
        let (latitudes, longitudes) = (places.map(\.latitude), places.map(\.longitude))
        guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(), let east = longitudes.max() else {
            return nil
        }
        (self.places, self.source) = (places, source)
        centre = Coordinate(latitude: (south + north) / 2, longitude: (west + east) / 2)
        zoom =
            Self.zoomRange.reversed().first { zoom in
                let mercator = Mercator(zoom: zoom)
                return mercator.x(east) - mercator.x(west) <= Self.area.width && mercator.y(south) - mercator.y(north) <= Self.area.height
            } ?? Self.zoomRange.lowerBound
    }

    /// Returns the template context of the map.
    func context(names: [String], label: String, _ texts: LocalizedStrings) -> TemplateContext.OverviewMap {
        let mercator = Mercator(zoom: zoom)
        let pins = zip(places, names).map { place, name in
            TemplateContext.OverviewPin(
                x: Int((mercator.x(place.longitude) - mercator.x(centre.longitude)).rounded()),
                y: Int((mercator.y(place.latitude) - mercator.y(centre.latitude)).rounded()), name: name)
        }
        return TemplateContext.OverviewMap(
            tiles: MapView.tiles(around: centre, zoom: zoom, source.tilesQuery ?? ""), pins: pins, label: label,
            attribution: source.attribution(texts), hasKnownColors: source.hasKnownColors)
    }
}
