import Foundation

/// A moment as pages show it: on the clock that its document names, or on the reader's.
struct DisplayTime: Hashable, Sendable {
    /// The clock that a time is shown on.
    enum Zone: Hashable, Sendable {
        /// A clock at the place of delivery: no zone is known, and the time is never converted.
        case local
        /// One so many seconds ahead of UTC, which is named.
        case offset(Int)
        /// That of the reader. Only a browser knows it: without its script, the server's own, which is named.
        case browser
    }

    /// What the clock shows, as the instant at which one in Greenwich shows it; in UTC for `Clock.reader`.
    let wallTime: Date
    let zone: Zone
    /// False for a day without a time.
    let hasTime: Bool

    /// An instant, on the clock of its document where that is known.
    init(_ instant: Date, offset: Int?) {
        wallTime = instant.addingTimeInterval(Double(offset ?? 0))
        zone = offset.map { .offset($0) } ?? .browser
        hasTime = true
    }

    init(wallTime: Date, zone: Zone, hasTime: Bool) {
        (self.wallTime, self.zone, self.hasTime) = (wallTime, zone, hasTime)
    }

    /// As HTML's `time` has it, to the minute: `2026-05-20`, `2026-05-20T08:00`, with `-04:00` or `Z` behind it.
    var dateTimeAttribute: String {
        let text = wallTime.formatted(Date.ISO8601FormatStyle())
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

    /// The name of a zone by its offset: `UTC−4`, `UTC+5:45`. A page writes the same.
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
