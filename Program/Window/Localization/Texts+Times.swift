import Foundation
import LadingCaching

// Days and times of day. The page's script (`times.js`) uses the same formats, with `Today` and `in 40 min` where these apply.
extension Texts {
    /// The distance from now, in seconds, beyond which a day includes its year.
    private static let yearThreshold = 180.0 * 86_400

    /// Returns a time for pages without scripts, with its zone: `Wed 20 May, 08:00 UTC−4`.
    func time(_ time: DisplayTime, now: Date, serverZone: TimeZone) -> String {
        switch time.zone {
        case .local: localTimeText(time.localTime, hasTime: time.hasTime, now: now)
        case .offset(let seconds):
            "\(localTimeText(time.localTime, hasTime: time.hasTime, now: now)) \(isolated(DisplayTime.zoneName(seconds)))"
        case .browser:
            self.time(
                DisplayTime(time.localTime, offset: serverZone.secondsFromGMT(for: time.localTime)), now: now, serverZone: serverZone)
        }
    }

    private func localTimeText(_ wall: Date, hasTime: Bool, now: Date) -> String {
        let day = day(wall, withYear: abs(wall.timeIntervalSince(now)) > Self.yearThreshold)
        guard hasTime else { return day }
        let time = wall.formatted(Date.ISO8601FormatStyle()).dropFirst(11).prefix(5)
        return localized(en: "\(day), \(time)", de: "\(day), \(time)", zh: "\(day) \(time)", ar: "\(day)، \(time)")
    }

    private func day(_ localTime: Date, withYear: Bool) -> String {
        let number = Int((localTime.timeIntervalSince1970 / 86_400).rounded(.down))
        let key = DayKey(language: language, number: number, hasYear: withYear)
        if let text = Self.days.value(for: key) { return text }
        let text = formattedDay(localTime, withYear)
        Self.days.store(text, for: key)
        return text
    }

    private func formattedDay(_ localTime: Date, _ withYear: Bool) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let locale = language == .english ? Locale(identifier: "en_GB") : language.locale
        let style = Date.FormatStyle(locale: locale, calendar: calendar, timeZone: .gmt).weekday(.abbreviated).day().month(.abbreviated)
        let text = localTime.formatted(withYear ? style.year() : style)
        // The comma differs between versions of CLDR.
        return language == .english ? text.replacing(/^(\w+),/) { $0.1 } : text
    }

    private struct DayKey: Hashable {
        let language: Language
        /// The number of days since 1970.
        let number: Int
        let hasYear: Bool
    }

    /// The texts of days, which take longer to format than the rest of a row.
    private static let days = MemoryCache<DayKey, String>(costLimit: 2_000)
}
