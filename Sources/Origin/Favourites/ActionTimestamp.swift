import Foundation

/// When somebody did something, to the millisecond, as their own clock told it: `2026-05-15T12:00:00.250Z` (RFC 3339).
struct ActionTimestamp: Hashable, Comparable, Sendable {
    /// How far ahead of the server's a clock may be. What is later than that counts as done now, or nothing could ever be later.
    static let maximumClockSkew: TimeInterval = 300

    /// Since 1970.
    let milliseconds: Int64

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    init(_ date: Date) {
        milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
    }

    /// Nil for what is no date with time and offset.
    init?(_ text: String) {
        let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: Self.fractionalSecondsStyle))
        guard let date, abs(date.timeIntervalSince1970) < 1e12 else { return nil }
        self.init(date)
    }

    /// This moment, or the server's if this cannot have been yet.
    func clamped(toNow now: Date) -> ActionTimestamp {
        self <= ActionTimestamp(now + Self.maximumClockSkew) ? self : ActionTimestamp(now)
    }

    var text: String {
        let fraction = (milliseconds % 1_000 + 1_000) % 1_000
        let second = Date(timeIntervalSince1970: Double((milliseconds - fraction) / 1_000)).formatted(.iso8601)
        // The formatter cuts a fraction that it cannot hold exactly.
        return fraction == 0 ? second : "\(second.dropLast()).\(String(1_000 + fraction).dropFirst())Z"
    }

    static func < (left: ActionTimestamp, right: ActionTimestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    private static let fractionalSecondsStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
