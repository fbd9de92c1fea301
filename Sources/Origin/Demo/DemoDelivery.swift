/// A moment of the demo fortnight, which begins on May 20th, written as couriers write it: `May, 15th 16:00`.
struct DemoDelivery: Sendable {
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

    var text: String {
        let date = Self.firstDay + day
        let minutes = Self.opening + quarter * 15
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        let dayText =
            date > Self.daysInMay
            ? "June, \(Self.ordinal(date - Self.daysInMay))"
            : "May, \(Self.ordinal(date))"
        return "\(dayText) \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

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
