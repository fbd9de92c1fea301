import Foundation

// Days and times of day. The page's script (`times.js`) writes the same, with `Today` and `in 40 min` where these apply.
extension Texts {
    /// The distance from now, in seconds, beyond which a day has its year.
    private static let reachWithoutYear = 180.0 * 86_400

    /// Formats a moment for pages without scripts, with the zone of its clock: `Wed 20 May, 08:00 UTC−4`.
    func time(_ time: ShownTime, at now: Date, serverZone: TimeZone) -> String {
        switch time.clock {
        case .local: wall(time.wall, time.hasTime, now)
        case .offset(let seconds): "\(wall(time.wall, time.hasTime, now)) \(isolated(ShownTime.zoneName(seconds)))"
        case .reader:
            self.time(
                ShownTime(time.wall, offset: serverZone.secondsFromGMT(for: time.wall)), at: now, serverZone: serverZone)
        }
    }

    private func wall(_ wall: Date, _ hasTime: Bool, _ now: Date) -> String {
        let day = day(wall, withYear: abs(wall.timeIntervalSince(now)) > Self.reachWithoutYear)
        guard hasTime else { return day }
        let time = wall.formatted(Date.ISO8601FormatStyle()).dropFirst(11).prefix(5)
        return say(en: "\(day), \(time)", de: "\(day), \(time)", zh: "\(day) \(time)", ar: "\(day)، \(time)")
    }

    private func day(_ wall: Date, withYear: Bool) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let locale = language == .english ? Locale(identifier: "en_GB") : language.locale
        let style = Date.FormatStyle(locale: locale, calendar: calendar, timeZone: .gmt).weekday(.abbreviated).day().month(.abbreviated)
        let text = wall.formatted(withYear ? style.year() : style)
        // Versions of CLDR differ in this comma.
        return language == .english ? text.replacing(/^(\w+),/) { $0.1 } : text
    }
}
