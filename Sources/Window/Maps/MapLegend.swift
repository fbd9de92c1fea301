import DemoCity

/// The places that a map shows, and the words beside it.
enum MapLegend: Sendable {
    case demoCity(name: String, bounds: Area)
    /// - Parameter fingerprint: Differs between servers, so that a browser takes no tile of one for that of another.
    case server(attribution: String, fingerprint: String)

    /// Whether there is a map of a place.
    ///
    /// The demo city is invented, but its coordinates are those of real places: its address has to name it, too.
    func shows(_ place: Coordinate, address: String?) -> Bool {
        switch self {
        case .demoCity(let name, let bounds): bounds.contains(place) && address?.contains(name) == true
        case .server: true
        }
    }

    func attribution(_ texts: PlainTexts) -> String {
        switch self {
        case .demoCity: texts.demoMap
        case .server(let attribution, _): attribution
        }
    }

    /// The query of a tile's address; nil where it needs none.
    var tilesQuery: String? {
        switch self {
        case .demoCity: nil
        case .server(_, let fingerprint): "?source=\(fingerprint)"
        }
    }

    /// Whether the colours of tiles are known, so that they may be inverted at night.
    var isDrawing: Bool {
        switch self {
        case .demoCity: true
        case .server: false
        }
    }
}
