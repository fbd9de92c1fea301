import HTTPTypes
import Hummingbird

/// The part of a list that a request asks for: `?offset=40&limit=20`.
struct DeliveryPage: Hashable, Sendable {
    /// The most rows of a page. A shorter page than was asked for means the end, so more is refused, not cut.
    static let maximumLimit = 1_000

    let offset: Int
    let limit: Int

    /// - Throws: `HTTPError`, 400 with the reason, when one of the two is missing, no whole number, or negative, or the page too long.
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

    /// As it stands in a path.
    var query: String { "offset=\(offset)&limit=\(limit)" }

    private static func number(_ name: String, _ text: Substring?) throws -> Int {
        guard let text else { throw HTTPError(.badRequest, message: "\(name) is missing.") }
        guard !text.hasPrefix("+"), let number = Int(text) else {
            throw HTTPError(.badRequest, message: "\(name) is no whole number.")
        }
        guard number >= 0 else { throw HTTPError(.badRequest, message: "\(name) is negative.") }
        return number
    }
}
