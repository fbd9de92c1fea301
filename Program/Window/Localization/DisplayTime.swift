import Foundation
import OrderLifecycle

/// A time as shown on pages: in the zone of its document or of the browser.
struct DisplayTime: Hashable, Sendable {
    /// The zone in which a time is shown.
    enum Zone: Hashable, Sendable {
        /// The local time at the place of delivery: the zone is unknown, and the time is never converted.
        case local
        /// An offset from UTC in seconds, shown with the time.
        case offset(Int)
        /// The zone of the browser. Without scripts, the zone of the server, which is shown with the time.
        case browser
    }

    /// The wall-clock time, stored as if it were UTC; the instant itself for `Zone.browser`.
    let localTime: Date
    let zone: Zone
    /// Whether the time of day is known; false for a day without a time.
    let hasTime: Bool

    /// Creates a time from an instant, in the zone of its document where that is known.
    init(_ instant: Date, offset: Int?) {
        localTime = instant.addingTimeInterval(Double(offset ?? 0))
        zone = offset.map { .offset($0) } ?? .browser
        hasTime = true
    }

    /// Creates a time from a text of RFC 3339, in the zone of the browser; nil for another text.
    init?(_ text: String) {
        guard let time = Timestamp(text: text) else { return nil }
        self.init(Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000), offset: nil)
    }

    init(localTime: Date, zone: Zone, hasTime: Bool) {
        (self.localTime, self.zone, self.hasTime) = (localTime, zone, hasTime)
    }

    /// The value of HTML's `datetime` attribute, to the minute: `2026-05-20`, `2026-05-20T08:00`, followed by `-04:00` or `Z`.
    var dateTimeAttribute: String {
        let text = localTime.formatted(Date.ISO8601FormatStyle())
        guard hasTime else { return String(text.prefix(10)) }
        return text.prefix(16) + zoneSuffix
    }

    private var zoneSuffix: String {
        switch zone {
        case .local: ""
        case .offset(let seconds): Self.offsetText(seconds)
        case .browser: "Z"
        }
    }

    /// Returns the name of a zone by its offset: `UTC−4`, `UTC+5:45`. The page's script uses the same format.
    static func zoneName(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        guard minutes > 0 else { return "UTC" }
        return "UTC\(seconds < 0 ? "−" : "+")\(hours)" + (rest == 0 ? "" : ":\(twoDigits(rest))")
    }

    private static func offsetText(_ seconds: Int) -> String {
        let (hours, minutes) = (abs(seconds) / 60).quotientAndRemainder(dividingBy: 60)
        return "\(seconds < 0 ? "-" : "+")\(twoDigits(hours)):\(twoDigits(minutes))"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
