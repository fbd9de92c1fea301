import Foundation
import OrderLifecycle

/// The client's timestamp of a user's action, in milliseconds: `2026-05-15T12:00:00.250Z` (RFC 3339).
struct ActionTimestamp: Hashable, Comparable, Sendable {
    /// The number of seconds by which a client's clock may be ahead. A later timestamp counts as the present, or no action could follow it.
    static let maximumClockSkew: TimeInterval = 300

    /// Milliseconds since 1970.
    let milliseconds: Int64

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    init(_ date: Date) {
        milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
    }

    /// Parses a date with time and offset; nil for any other text.
    init?(_ text: String) {
        guard let timestamp = Timestamp(text: text) else { return nil }
        self.init(milliseconds: timestamp.milliseconds)
    }

    /// Returns this timestamp, or the server's time when this one lies too far in the future.
    func clamped(toNow now: Date) -> ActionTimestamp {
        self <= ActionTimestamp(now + Self.maximumClockSkew) ? self : ActionTimestamp(now)
    }

    var text: String {
        let fraction = (milliseconds % 1_000 + 1_000) % 1_000
        let second = Date(timeIntervalSince1970: Double((milliseconds - fraction) / 1_000)).formatted(.iso8601)
        // The formatter truncates a fraction that it cannot represent exactly.
        return fraction == 0 ? second : "\(second.dropLast()).\(String(1_000 + fraction).dropFirst())Z"
    }

    static func < (left: ActionTimestamp, right: ActionTimestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
