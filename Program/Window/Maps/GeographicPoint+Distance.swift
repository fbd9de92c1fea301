import Foundation
import LadingRecords

extension GeographicPoint {
    /// The mean radius of the earth, in meters (IUGG).
    private static let radius = 6_371_008.8

    /// Returns the great-circle distance in meters.
    func distance(to other: GeographicPoint) -> Double {
        let difference = unitVector - other.unitVector
        return 2 * Self.radius * asin(min(1, (difference * difference).sum().squareRoot() / 2))
    }
}

extension Texts {
    /// Returns the localized distance between two points; empty when either is unknown.
    func distanceText(from start: GeographicPoint?, to end: GeographicPoint?) -> String {
        guard let start, let end else { return "" }
        return kilometers(meters: start.distance(to: end))
    }
}
