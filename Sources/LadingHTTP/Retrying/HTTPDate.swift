import Foundation

/// A moment as HTTP writes it, to the second, in any of the three forms that a recipient has to read (RFC 9110 §5.6.7).
struct HTTPDate: Hashable {
    let date: Date

    /// - Parameter reference: A year of two digits is none that lies more than 50 years after this moment; without it such a year is not read.
    init?(_ text: String, near reference: Date? = nil) {
        let words = text.split(separator: " ").map(String.init)
        let date =
            switch words.count {
            case 6: Self.current(words)
            case 4: Self.withShortYear(words, near: reference)
            case 5: Self.asTheCLibraryDoes(words)
            default: nil as Date?
            }
        guard let date else { return nil }
        self.date = date
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func current(_ words: [String]) -> Date? {
        guard days.contains(where: { words[0] == "\($0.prefix(3))," }), words[5] == "GMT", words[3].count == 4 else { return nil }
        return date(day: words[1], month: words[2], year: number(words[3]), time: words[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`, of RFC 850.
    private static func withShortYear(_ words: [String], near reference: Date?) -> Date? {
        let parts = words[1].split(separator: "-").map(String.init)
        guard days.contains(where: { words[0] == "\($0)," }), words[3] == "GMT", parts.count == 3, parts[2].count == 2,
            let short = number(parts[2]), let reference
        else { return nil }
        let latest = calendar.component(.year, from: reference) + 50
        return date(day: parts[0], month: parts[1], year: latest - (latest - short) % 100, time: words[2])
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func asTheCLibraryDoes(_ words: [String]) -> Date? {
        guard days.contains(where: { words[0] == $0.prefix(3) }), words[4].count == 4 else { return nil }
        return date(day: words[2], month: words[1], year: number(words[4]), time: words[3])
    }

    private static func date(day: String, month: String, year: Int?, time: String) -> Date? {
        let clock = time.split(separator: ":").map(String.init)
        guard let year, let day = number(day), let month = months.firstIndex(of: month), clock.count == 3,
            clock.allSatisfy({ $0.count == 2 }), let hour = number(clock[0]), let minute = number(clock[1]), let second = number(clock[2]),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        // A leap second has no place of its own in the count of seconds.
        let parts = DateComponents(
            year: year, month: month + 1, day: day, hour: hour, minute: minute, second: min(second, 59))
        return parts.isValidDate(in: calendar) ? calendar.date(from: parts) : nil
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ? Int(text) : nil
    }

    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
