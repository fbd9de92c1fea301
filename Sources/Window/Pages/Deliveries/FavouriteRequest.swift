import Foundation
import HTTPTypes
import LadingHTTP

/// What a reader wants of a mark, as a page tells it: `{"favourite":true,"at":"2026-05-15T12:00:00.250Z"}`.
struct FavouriteRequest: Decodable, Sendable {
    let favourite: Bool
    /// When it was decided, by the clock where that was (RFC 3339).
    let at: String

    var date: Date? {
        let style = Date.ISO8601FormatStyle()
        return (try? style.parse(at)) ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(at))
    }
}

extension IdempotencyKey {
    /// - Parameter field: As a string of a structured field (RFC 9651 §3.3.3), or without its quotes.
    init?(field: String?) {
        guard let field else { return nil }
        let isQuoted = field.count > 1 && field.hasPrefix("\"") && field.hasSuffix("\"")
        self.init(rawValue: isQuoted ? String(field.dropFirst().dropLast()) : field)
    }
}

extension HTTPField.Name {
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
