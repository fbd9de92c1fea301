import DemoCity

/// The places that a map shows, and the words beside it.
enum MapSource: Sendable {
    case demoCity(City)
    /// - Parameter fingerprint: Differs between servers, so that a browser takes no tile of one for that of another.
    case server(attribution: String, fingerprint: String)

    /// Whether there is a map of a place.
    ///
    /// The demo city is invented, but its coordinates are those of real places: the address has to name it, or to be a house of one of its streets.
    func covers(_ coordinate: Coordinate, address: String?) -> Bool {
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

    /// The query of a tile's address; nil where it needs none.
    var tilesQuery: String? {
        switch self {
        case .demoCity: nil
        case .server(_, let fingerprint): "?source=\(fingerprint)"
        }
    }

    /// Whether the colours of tiles are known, so that they may be inverted at night.
    var isInvertible: Bool {
        switch self {
        case .demoCity: true
        case .server: false
        }
    }
}

extension City {
    /// Whether an address names the city, or is no more than a number and one of its streets.
    fileprivate func isNamed(in address: String) -> Bool {
        if address.contains(name) { return true }
        let street = address.drop { $0 != " " }.dropFirst()
        return streets(in: bounds).contains { $0.name == street }
    }
}
