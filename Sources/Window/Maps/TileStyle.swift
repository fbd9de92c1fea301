/// The widths and colors of map features at one zoom.
///
/// The colors are light and of medium saturation: the page darkens them by inverting lightness and restoring the hue.
struct TileStyle {
    static let country = "#f1f1ea"
    static let countryGrid = "#e7e7de"
    static let limits = "#d9cfc4"
    static let block = "#ede8df"
    static let blockInterior = "#e3e8d6"
    static let house = "#ddd5c8"
    static let houseEdge = "#cdc3b4"
    static let shore = "#dcecd0"
    static let park = "#c9e4b8"
    static let parkEdge = "#b3d5a0"
    static let parkPath = "#eef3df"
    static let tree = "#a9d093"
    static let water = "#a8d4ea"
    static let waterEdge = "#8dc1dc"
    static let street = "#ffffff"
    static let streetEdge = "#d8d0c4"
    static let mainRoad = "#fdeab5"
    static let mainRoadEdge = "#e2c88c"
    static let bridgeEdge = "#a9946a"
    static let textColor = "#57534e"
    static let parkTextColor = "#4b7a3c"
    static let cityMarker = "#8a5a44"

    let zoom: Int
    let scale: Double

    /// The color of built-up land, darker at low zooms, where no other feature distinguishes it from the country.
    var land: String { zoom >= 13 ? "#f3efe8" : "#ebe4d8" }

    var hasCity: Bool { zoom >= 10 }
    var hasStreets: Bool { zoom >= 13 }
    var hasParks: Bool { zoom >= 13 }
    var hasBlocks: Bool { zoom >= 15 }
    var hasHouses: Bool { zoom >= 16 }
    var hasTrees: Bool { zoom >= 16 }
    var hasLabels: Bool { zoom >= 16 }

    /// Whether a main road is drawn; at low zooms only every other one is.
    func hasMainRoad(_ number: Int) -> Bool { zoom >= 12 || number % 10 == 0 }

    /// Returns the width of a road without its edges, in pixels: to scale, with a minimum.
    func roadWidth(isMain: Bool) -> Double {
        isMain ? max(mainRoadMinimumWidth, 15 * scale) : max(zoom >= 14 ? 1.2 : 0.7, 9 * scale)
    }

    /// Returns the width of a road with its edges, in pixels.
    func casingWidth(isMain: Bool) -> Double {
        roadWidth(isMain: isMain) + (zoom >= 16 ? 2 : zoom >= 14 ? 1.4 : isMain ? 1 : 0)
    }

    var fontSize: Double { zoom == 16 ? 10 : zoom == 17 ? 11 : 12.5 }

    private var mainRoadMinimumWidth: Double {
        switch zoom {
        case ...11: 0.8
        case 12: 1.2
        case 13: 1.8
        default: 2.6
        }
    }
}
