import Foundation
import LadingFeeds

extension GeographicPoint {
    /// The mean radius of the earth, in metres (IUGG).
    private static let radius = 6_371_008.8

    /// The great-circle distance in metres.
    func metres(to other: GeographicPoint) -> Double {
        let way = place - other.place
        return 2 * Self.radius * asin(min(1, (way * way).sum().squareRoot() / 2))
    }
}

extension Texts {
    /// How far it is from one point to another; empty where either is not known.
    func distance(from start: GeographicPoint?, to end: GeographicPoint?) -> String {
        guard let start, let end else { return "" }
        return kilometres(metres: start.metres(to: end))
    }
}
