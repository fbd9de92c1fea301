import DemoCity

/// The source of map tiles, which determines the covered places and the attribution.
enum MapSource: Sendable {
    case demoCity(City)
    /// The tiles of an operator's server.
    ///
    /// - Parameter fingerprint: Differs between servers, so that browsers do not mix their cached tiles.
    case server(attribution: String, fingerprint: String)

    /// Whether the source has a map of a place.
    ///
    /// The demo city is fictional, but its coordinates are those of real places: the address must name the city, or be a house number and
    /// one of its streets.
    func contains(_ coordinate: Coordinate, address: String?) -> Bool {
        switch self {
        case .demoCity(let city): city.bounds.contains(coordinate) && address.map(city.isNamed(in:)) == true
        case .server: true
        }
    }

    func attribution(_ texts: LocalizedStrings) -> String {
        switch self {
        case .demoCity: texts.demoMap
        case .server(let attribution, _): attribution
        }
    }

    /// The query of tile URLs; nil when they need none.
    var tilesQuery: String? {
        switch self {
        case .demoCity: nil
        case .server(_, let fingerprint): "?source=\(fingerprint)"
        }
    }

    /// Whether the colors of the tiles are known, so that they may be inverted in dark mode.
    var hasKnownColors: Bool {
        switch self {
        case .demoCity: true
        case .server: false
        }
    }
}

extension City {
    /// Whether an address names the city, or consists of a number and one of its streets.
    fileprivate func isNamed(in address: String) -> Bool {
        if address.contains(name) { return true }
        let street = address.drop { $0 != " " }.dropFirst()
        return streets(in: bounds).contains { $0.name == street }
    }
}
