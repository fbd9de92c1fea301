import Foundation

/// A parser of delivery dates in free text or ISO 8601: `May, 15th 16:00`, `15 May 4 PM`, `2026-05-15T16:00Z`.
///
/// Words are English. A missing year is the one that puts the date nearest to the reference; a missing zone is `timeZone`, a missing time midnight.
struct DeliveryDateReader: Sendable {
    /// The maximum length of a text, in bytes.
    static let textLimit = 100

    let timeZone: TimeZone
    /// The time at which the text was sent.
    let reference: Date

    /// Returns the instant of a text; nil when the text is ambiguous or not recognized.
    func time(_ text: String) -> Date? { read(text)?.time }

    /// Returns the components and the instant of a text; nil when the text is ambiguous or not recognized.
    func read(_ text: String) -> (components: DeliveryDateComponents, time: Date)? {
        guard text.utf8.count <= Self.textLimit, let parts = DateParts(text), let month = parts.month, let day = parts.day,
            let civilDay = parts.year.map({ CalendarDay(year: $0, month: month, day: day) }) ?? nearest(month, day)
        else { return nil }
        let local = Double(civilDay.number) * 86_400 + Double(parts.secondOfDay ?? 0)
        let components = DeliveryDateComponents(
            year: civilDay.year, month: month, day: day, minuteOfDay: parts.secondOfDay.map { min($0 / 60, 1_439) },
            zone: parts.isInUTC ? .utc : parts.utcOffset.map { .offset($0) } ?? .local)
        return (components, Date(timeIntervalSince1970: local - Double(parts.utcOffset ?? utcOffset(atLocal: local))))
    }

    /// Returns the given day nearest to the reference, or the earlier of two. February 29 may be four years away (1900 was no leap year).
    private func nearest(_ month: Int, _ day: Int) -> CalendarDay? {
        let today = (reference.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: reference))) / 86_400
        guard abs(today) < 1e7 else { return nil }
        // Within two days of a new year, this may be the other year.
        let year = 1_970 + Int((today / 365.2425).rounded(.down))
        let candidates = (year - 4...year + 4).compactMap { CalendarDay(year: $0, month: month, day: day) }
        return candidates.min { abs(Double($0.number) - today) < abs(Double($1.number) - today) }
    }

    private func utcOffset(atLocal local: Double) -> Int {
        let guess = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: local))
        return timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: local - Double(guess)))
    }
}

/// A day of the Gregorian calendar.
struct CalendarDay {
    private static let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    let year: Int
    /// The number of days since 1970-01-01.
    let number: Int

    /// Returns nil when the month has no such day.
    init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = Self.isLeap(year)
        let next = month == 12 ? 365 : Self.daysBefore[month]
        guard day <= next - Self.daysBefore[month - 1] + (isLeap && month == 2 ? 1 : 0) else { return nil }
        self.year = year
        number = Self.daysBefore(year: year) + Self.daysBefore[month - 1] + (isLeap && month > 2 ? 1 : 0) + day - 1
    }

    private static func daysBefore(year: Int) -> Int {
        let past = year - 1
        return 365 * (year - 1_970) + past / 4 - past / 100 + past / 400 - 477
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}
