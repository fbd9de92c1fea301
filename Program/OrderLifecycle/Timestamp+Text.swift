/// The form of times in documents: RFC 3339 in UTC with milliseconds, such as `2026-05-15T12:00:00.000Z`.
extension Timestamp {
    private static let millisecondsPerDay: Int64 = 86_400_000
    /// The times whose text is one of RFC 3339: those of the years 0001 to 9999 in UTC.
    package static let rfc3339Range = Timestamp(milliseconds: -62_135_596_800_000)...Timestamp(milliseconds: 253_402_300_799_999)

    package var text: String {
        let (days, time) = Self.floorDivision(milliseconds, Self.millisecondsPerDay)
        let (year, month, day) = Self.date(ofDay: days)
        let seconds = time / 1_000
        return "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))T\(Self.digits(seconds / 3_600, 2)):"
            + "\(Self.digits(seconds / 60 % 60, 2)):\(Self.digits(seconds % 60, 2)).\(Self.digits(time % 1_000, 3))Z"
    }

    /// Parses a time of the years 0001 to 9999, also in UTC, with an offset and up to nine digits of a second; nil for another text.
    package init?(text: String) {
        let pattern =
            /([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))/
        guard text.utf8.count <= 40, let match = text.wholeMatch(of: pattern) else { return nil }
        func number(_ text: Substring?) -> Int64 { text.flatMap { Int64($0) } ?? 0 }
        let (year, month, day) = (number(match.1), number(match.2), number(match.3))
        let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
        let (offsetHours, offsetMinutes) = (number(match.9), number(match.10))
        guard year > 0, (1...12).contains(month), (1...Self.days(inMonth: month, year)).contains(day), hour < 24, minute < 60, second < 61,
            offsetHours < 24, offsetMinutes < 60
        else { return nil }
        let fraction = number((match.7.map { String($0) } ?? "").padded(to: 3))
        let offset = (offsetHours * 60 + offsetMinutes) * (match.8 == "-" ? -1 : 1)
        let seconds = (hour * 60 + minute - offset) * 60 + min(second, 59)
        self.init(milliseconds: Self.day(year, month, day) * Self.millisecondsPerDay + seconds * 1_000 + fraction)
        // The offset may lead to another year.
        guard Self.rfc3339Range.contains(self) else { return nil }
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func floorDivision(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = number % divisor
        return remainder < 0 ? (number / divisor - 1, remainder + divisor) : (number / divisor, remainder)
    }

    private static func days(inMonth month: Int64, _ year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // The conversions count years from March, so that the day of a leap year is the last: 400 years have 146,097 days.

    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivision(shifted, 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivision(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let shifted = month < 10 ? month + 3 : month - 9
        return (yearOfEra + era * 400 + (shifted <= 2 ? 1 : 0), shifted, day)
    }
}

extension String {
    /// Returns the first characters, followed by zeros where there are fewer.
    fileprivate func padded(to count: Int) -> Substring {
        (self + String(repeating: "0", count: count)).prefix(count)
    }
}
