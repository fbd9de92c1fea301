import Foundation
import HTTPFieldValues
import LadingOutbox
import OrderLifecycle

/// The body of a request that sets a favourite mark: `{"favourite":true,"at":"2026-05-15T12:00:00.250Z"}`.
struct FavouriteRequest: Decodable, Sendable {
    let favourite: Bool
    /// The client's timestamp of the user's action (RFC 3339).
    let at: String

    /// Nil for a text that is no such time.
    var date: Date? { Timestamp(text: at).map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1_000) } }
}

extension IdempotencyKey {
    /// - Parameter field: A string of a structured field (RFC 9651 §3.3.3), or the same without quotes.
    init?(field: String?) {
        guard let key = field.flatMap({ IdempotencyKeyField.key(in: $0) }) else { return nil }
        self.init(rawValue: key)
    }
}
