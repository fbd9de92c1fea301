import LadingFeeds
import Orders

/// How a page wants the list searched and sorted, in its own words.
struct ArrangementWish: Decodable, Equatable, Sendable {
    /// The most characters of a search that count.
    static let searchLimit = 100

    var search: String?
    /// A name of `OrderSort`; anything else counts as none.
    var sort: String?
    /// The reader's position: latitude and longitude, in degrees.
    var near: [Double]?

    /// - Parameter place: Stands in for a position that is not told.
    func arrangement(near place: GeographicPoint?) -> OrderArrangement {
        let told = near.flatMap { $0.count == 2 ? GeographicPoint(latitude: $0[0], longitude: $0[1]) : nil }
        let order = sort.flatMap(OrderSort.init)
        return OrderArrangement(
            search: String((search ?? "").prefix(Self.searchLimit)), sort: order, near: order == .nearest ? told ?? place : nil)
    }
}
