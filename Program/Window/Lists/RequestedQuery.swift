import LadingRecords

/// The search and sort that a page requests.
struct RequestedQuery: Decodable, Equatable, Sendable {
    /// The maximum length of a search in bytes, which is that of the API.
    private static let searchLimit = 400

    var search: String?
    /// The name of a sort; unknown names count as none.
    var sort: String?
    /// The user's position: latitude and longitude, in degrees.
    var near: [Double]?

    /// The user's position as a point; nil when it is missing or invalid.
    var point: GeographicPoint? {
        near.flatMap { $0.count == 2 ? GeographicPoint(latitude: $0[0], longitude: $0[1]) : nil }
    }

    /// The significant part of the search.
    var searchText: String { Self.significantPart(of: search ?? "") }

    /// Returns whether another query differs at most in the user's position.
    func hasSameSearchAndSort(as other: RequestedQuery) -> Bool { searchText == other.searchText && sort == other.sort }

    /// Returns the beginning of a search, up to the limit.
    static func significantPart(of search: String) -> String {
        var length = 0
        let scalars = search.unicodeScalars.prefix { scalar in
            length += UTF8.width(scalar)
            return length <= searchLimit
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// A requested query with the time of the request.
struct QueryReport: Decodable, Sendable {
    /// The maximum age difference of two queries that arrive out of order, in milliseconds: the request timeout of a page. A larger
    /// difference means that the page's clock was set back.
    static let clockResetLimit = 10_000

    /// The time by the clock of the page, in milliseconds since 1970, at most 2⁵³; nil where the page sends none.
    let at: Int?
    let query: RequestedQuery

    private enum CodingKeys: CodingKey { case at }

    init(from decoder: any Decoder) throws {
        let time = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .at)
        at = time.map { max(0, min($0, 1 << 53)) }
        query = try RequestedQuery(from: decoder)
    }
}
