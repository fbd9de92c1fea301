import LadingFeeds

/// How a page wants the list searched and sorted, in its own words.
struct RequestedQuery: Decodable, Equatable, Sendable {
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

/// A wish, and when the page made it.
struct QueryReport: Decodable, Sendable {
    /// How much older than another a wish may be that was overtaken by it, in milliseconds: as long as a page waits for a request. What is
    /// older still comes from a clock that was set back.
    static let reorderLimit = 10_000

    /// In milliseconds by the clock of the page; nil where it is not told.
    let at: Int?
    let query: RequestedQuery

    private enum CodingKeys: CodingKey { case at }

    init(from decoder: any Decoder) throws {
        at = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .at)
        query = try RequestedQuery(from: decoder)
    }
}
