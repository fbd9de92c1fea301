/// A moment of the demo fortnight, which begins on May 20th.
struct DemoMoment: Sendable {
    static let dayCount = 14
    static let quartersPerDay = (closing - opening) / 15 + 1

    private static let firstDay = 20
    private static let daysInMay = 31
    /// The first and the last delivery of a day, in minutes after midnight: 8:00 and 21:45.
    private static let opening = 8 * 60
    private static let closing = 21 * 60 + 45

    /// Days since the first one.
    let day: Int
    /// Quarters of an hour since the shop opened.
    let quarter: Int

    /// As couriers write it: `May, 15th 16:00`.
    var text: String {
        let dayText = isInJune ? "June, \(Self.ordinal(dayOfMonth))" : "May, \(Self.ordinal(dayOfMonth))"
        return "\(dayText) \(time)"
    }

    /// As machines write it (ISO 8601), in the city's summer time: `2026-05-20T16:00:00-04:00`.
    var isoText: String {
        "2026-\(Self.twoDigits(isInJune ? 6 : 5))-\(Self.twoDigits(dayOfMonth))T\(time):00-04:00"
    }

    private var isInJune: Bool { Self.firstDay + day > Self.daysInMay }

    private var dayOfMonth: Int { Self.firstDay + day - (isInJune ? Self.daysInMay : 0) }

    private var time: String {
        let (hour, minute) = (Self.opening + quarter * 15).quotientAndRemainder(dividingBy: 60)
        return "\(Self.twoDigits(hour)):\(Self.twoDigits(minute))"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The English ordinal of a day of the month: 1st, 2nd, 3rd, 4th, 11th, 21st.
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
