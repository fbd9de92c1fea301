package import Foundation

/// An HTTP date, with a precision of one second (RFC 9110 §5.6.7).
package struct HTTPDate: Hashable, Comparable, Sendable {
    package let date: Date

    /// Creates the date of HTTP at or before a date.
    package init(_ date: Date) {
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    package static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.date < right.date }
}

// Parsing.
extension HTTPDate {
    /// Parses any of the three formats that a recipient must accept; nil for other text and for dates that no calendar has.
    ///
    /// Names are case-insensitive (RFC 9111 §4.2); one space separates words.
    ///
    /// - Parameter reference: A two-digit year is at most 50 years after this date; without it such a year is rejected.
    package init?(_ text: String, near reference: Date? = nil) {
        var words = text.lowercased().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        // Only asctime() writes a second space, before a one-digit day.
        if words.count == 6, words[2].isEmpty, words[3].count == 1 { words.remove(at: 2) }
        let date =
            switch words.count {
            case 6: Self.imfFixdate(words)
            case 4: Self.rfc850Date(words, near: reference)
            case 5: Self.asctimeDate(words)
            default: nil as Date?
            }
        guard let date else { return nil }
        self.date = date
    }

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func imfFixdate(_ words: [String]) -> Date? {
        guard days.contains(where: { words[0] == "\($0.prefix(3))," }), words[5] == "gmt", words[3].count == 4 else { return nil }
        return date(day: words[1], month: words[2], year: number(words[3]), time: words[4])
    }

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`, of RFC 850.
    private static func rfc850Date(_ words: [String], near reference: Date?) -> Date? {
        let parts = words[1].split(separator: "-").map(String.init)
        guard days.contains(where: { words[0] == "\($0)," }), words[3] == "gmt", parts.count == 3, parts[2].count == 2,
            let short = number(parts[2]), let reference
        else { return nil }
        let latest = calendar.component(.year, from: reference) + 50
        return date(day: parts[0], month: parts[1], year: latest - (latest - short) % 100, time: words[2])
    }

    /// Parses `Sun Nov  6 08:49:37 1994`.
    private static func asctimeDate(_ words: [String]) -> Date? {
        guard days.contains(where: { words[0] == $0.prefix(3) }), words[4].count == 4 else { return nil }
        return date(day: words[2], month: words[1], year: number(words[4]), time: words[3])
    }

    private static func date(day: String, month: String, year: Int?, time: String) -> Date? {
        let clock = time.split(separator: ":").map(String.init)
        guard let year, let day = number(day), let month = months.firstIndex(of: month), clock.count == 3,
            clock.allSatisfy({ $0.count == 2 }), let hour = number(clock[0]), let minute = number(clock[1]), let second = number(clock[2]),
            second <= 60
        else { return nil }
        // A leap second counts as the second before it. The calendar checks the other numbers.
        let parts = DateComponents(
            year: year, month: month + 1, day: day, hour: hour, minute: minute, second: min(second, 59))
        return parts.isValidDate(in: calendar) ? calendar.date(from: parts) : nil
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ? Int(text) : nil
    }

    private static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}

extension HTTPDate {
    /// The date in the format to send: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var text: String {
        let day = Self.days[part(.weekday) - 1].prefix(3).capitalized
        let month = Self.months[part(.month) - 1].capitalized
        let time = [Calendar.Component.hour, .minute, .second].map { Self.padded(part($0), 2) }.joined(separator: ":")
        return "\(day), \(Self.padded(part(.day), 2)) \(month) \(Self.padded(part(.year), 4)) \(time) GMT"
    }

    private func part(_ component: Calendar.Component) -> Int { Self.calendar.component(component, from: date) }

    private static func padded(_ value: Int, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension Date {
    /// The date in the format of HTTP.
    package var httpDate: String { HTTPDate(self).text }
}
