import LadingFeeds

/// How a page wants the list searched and sorted, in its own words.
struct ArrangementWish: Decodable, Equatable, Sendable {
    /// The most characters of a search that count.
    static let searchLimit = 100

    var search: String?
    /// The name of an order that the list knows; anything else counts as none.
    var sort: String?
    /// The reader's position: latitude and longitude, in degrees.
    var near: [Double]?

    /// The reader's position as a point; nil when it is not told, or lies nowhere.
    var point: GeographicPoint? {
        near.flatMap { $0.count == 2 ? GeographicPoint(latitude: $0[0], longitude: $0[1]) : nil }
    }

    /// What counts of the search.
    var searchText: String { String((search ?? "").prefix(Self.searchLimit)) }
}
