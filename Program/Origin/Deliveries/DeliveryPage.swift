import HTTPTypes
import Hummingbird

/// The range of rows that a request selects: `?offset=40&limit=20`.
struct DeliveryPage: Hashable, Sendable {
    /// The maximum number of rows of a page. A short page marks the end of the list, so a larger limit is refused, not clamped.
    static let maximumLimit = 1_000

    let offset: Int
    let limit: Int

    /// Parses the query of a request.
    ///
    /// - Throws: `HTTPError`, 400 with the reason, when `offset` or `limit` is missing, not a whole number or negative, or `limit` is too large.
    init(of request: Request) throws {
        let query = request.uri.queryParameters
        offset = try Self.number("offset", query["offset"])
        limit = try Self.number("limit", query["limit"])
        guard limit <= Self.maximumLimit else { throw HTTPError(.badRequest, message: "limit can be at most \(Self.maximumLimit).") }
    }

    init(offset: Int, limit: Int) {
        self.offset = offset
        self.limit = limit
    }

    /// The query of a path, without `?`.
    var query: String { "offset=\(offset)&limit=\(limit)" }

    private static func number(_ name: String, _ text: Substring?) throws -> Int {
        guard let text else { throw HTTPError(.badRequest, message: "\(name) is missing.") }
        guard !text.hasPrefix("+"), let number = Int(text) else {
            throw HTTPError(.badRequest, message: "\(name) must be an integer.")
        }
        guard number >= 0 else { throw HTTPError(.badRequest, message: "\(name) must not be negative.") }
        return number
    }
}
