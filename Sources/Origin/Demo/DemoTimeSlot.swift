import Foundation

/// A quarter of an hour in the demo fortnight, which begins on May 20th, 2026.
struct DemoTimeSlot: Sendable {
    /// The number of days of the demo fortnight.
    static let dayCount = 14
    static let slotsPerDay = (closingMinute - openingMinute) / 15 + 1

    private static let firstDay = 20
    private static let daysInMay = 31
    /// The first and the last delivery of a day, in minutes after midnight: 8:00 and 21:45.
    private static let openingMinute = 8 * 60
    private static let closingMinute = 21 * 60 + 45

    /// The number of days since the first one.
    let day: Int
    /// The number of quarters of an hour since opening.
    let slot: Int

    /// The time as on orders: `May, 15th 16:00`.
    var text: String {
        "\(month == 6 ? "June" : "May"), \(Self.ordinal(dayOfMonth)) \(time)"
    }

    /// The time as ISO 8601, in the city's summer time: `2026-05-20T16:00:00-04:00`.
    var isoText: String {
        "2026-\(Self.twoDigits(month))-\(Self.twoDigits(dayOfMonth))T\(time):00-04:00"
    }

    /// The offset of the city's summer time from UTC, in seconds.
    static let utcOffset = -4.0 * 3_600

    /// The local date and time, represented as an instant in UTC.
    var localDate: Date {
        // 2026-05-20T00:00:00Z
        Date(timeIntervalSince1970: 1_779_235_200 + Double(day * 86_400 + (Self.openingMinute + slot * 15) * 60))
    }

    /// 5 or 6.
    private var month: Int { Self.firstDay + day > Self.daysInMay ? 6 : 5 }

    private var dayOfMonth: Int { Self.firstDay + day - (month == 6 ? Self.daysInMay : 0) }

    private var time: String {
        let (hour, minute) = (Self.openingMinute + slot * 15).quotientAndRemainder(dividingBy: 60)
        return "\(Self.twoDigits(hour)):\(Self.twoDigits(minute))"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Returns the English ordinal of a day of the month: 1st, 2nd, 3rd, 4th, 11th, 21st.
    static func ordinal(_ number: Int) -> String {
        switch (number % 100, number % 10) {
        case (11...13, _): "\(number)th"
        case (_, 1): "\(number)st"
        case (_, 2): "\(number)nd"
        case (_, 3): "\(number)rd"
        default: "\(number)th"
        }
    }
}

// MARK: - Parsing

extension DemoTimeSlot {
    /// Parses the format of `text`; nil for any other text.
    init?(text: String) {
        guard let match = text.wholeMatch(of: /(May|June), (\d{1,2})[a-z]{2} (\d{2}:\d{2})/), let day = Int(match.2) else { return nil }
        self.init(month: match.1 == "June" ? 6 : 5, dayOfMonth: day, time: match.3)
        guard isInDemoPeriod, self.text == text else { return nil }
    }

    /// Parses the format of `isoText`; nil for any other text.
    init?(isoText: String) {
        guard let match = isoText.wholeMatch(of: /2026-0([56])-(\d{2})T(\d{2}:\d{2}):00-04:00/), let day = Int(match.2) else { return nil }
        self.init(month: match.1 == "6" ? 6 : 5, dayOfMonth: day, time: match.3)
        guard isInDemoPeriod, self.isoText == isoText else { return nil }
    }

    private var isInDemoPeriod: Bool { (0..<Self.dayCount).contains(day) && (0..<Self.slotsPerDay).contains(slot) }

    private init(month: Int, dayOfMonth: Int, time: Substring) {
        let minutes = (Int(time.prefix(2)) ?? 0) * 60 + (Int(time.suffix(2)) ?? 0)
        day = dayOfMonth - Self.firstDay + (month == 6 ? Self.daysInMay : 0)
        slot = (minutes - Self.openingMinute) / 15
    }
}
