import Foundation

/// The next occurrences of the demo's dates. Its fortnight repeats, so that every date lies today or in the coming 13 days.
///
/// Stored rows contain the original dates. An occurrence is current until it has passed.
struct DemoSchedule: Sendable {
    /// The length of the fortnight in seconds.
    private static let period = Double(DemoTimeSlot.dayCount) * 86_400
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]

    let now: @Sendable () -> Date
    /// The time zone of delivery dates, whose text contains none.
    let timeZone: TimeZone

    /// Returns the next occurrence of a delivery date as a point in time; nil for text that the demo does not write.
    func nextTime(of text: String) -> Date? {
        guard let timeSlot = DemoTimeSlot(text: text) else { return nil }
        let offset = Double(timeZone.secondsFromGMT(for: now()))
        return (nextDate(ofWallClock: timeSlot.localDate, offset: offset) ?? timeSlot.localDate).addingTimeInterval(-offset)
    }

    /// Returns the next occurrence of a delivery date, and the time when the previous one passed.
    ///
    /// Returns nil for text that the demo does not write, and while the stored date lies in the future.
    func nextDate(of text: String) -> (text: String, since: Date)? {
        guard let timeSlot = DemoTimeSlot(text: text) else { return nil }
        let offset = Double(timeZone.secondsFromGMT(for: now()))
        return nextDate(ofWallClock: timeSlot.localDate, offset: offset).map { wall in
            let parts = Self.monthAndDay(of: wall)
            let day = "\(Self.months[parts.month - 1]), \(DemoTimeSlot.ordinal(parts.day))"
            return ("\(day) \(text.suffix(5))", wall.addingTimeInterval(-offset - Self.period))
        }
    }

    /// Returns the next occurrence of a pickup time, at the same hour and offset.
    func nextDate(ofISOText text: String) -> String {
        guard let timeSlot = DemoTimeSlot(isoText: text),
            let wall = nextDate(ofWallClock: timeSlot.localDate, offset: DemoTimeSlot.utcOffset)
        else { return text }
        return String(wall.formatted(Date.ISO8601FormatStyle()).prefix(10)) + text.dropFirst(10)
    }

    /// Returns the next occurrence of a wall clock time; nil while the given one lies in the future.
    ///
    /// - Parameters:
    ///   - wallClock: The local date and time, represented as an instant in UTC.
    ///   - offset: The local offset from UTC in seconds.
    private func nextDate(ofWallClock wallClock: Date, offset: Double) -> Date? {
        let periods = (now().addingTimeInterval(offset).timeIntervalSince(wallClock) / Self.period).rounded(.up)
        return periods > 0 ? wallClock.addingTimeInterval(periods * Self.period) : nil
    }

    private static func monthAndDay(of wallClock: Date) -> (month: Int, day: Int) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return (calendar.component(.month, from: wallClock), calendar.component(.day, from: wallClock))
    }
}
