import Foundation

/// Reads moments as servers write them: `2014-10-06T10:45:38-08:00`, `2014-10-06 10:45`, `1412621138`.
enum TimestampReader {
    /// Numbers from here on are no seconds, but thousandths of them.
    private static let secondsLimit: Double = 100_000_000_000
    /// Below, the digits of a text may as well be a year or a day.
    private static let minimumSecondsInText = 100_000_000
    private static let style = Date.ISO8601FormatStyle()

    /// Nothing is picked up in the first second of 1970: servers write 0 when they know of no moment.
    ///
    /// - Parameter seconds: Since 1970.
    static func date(seconds: Double) -> Date? {
        seconds > 0 && seconds < secondsLimit ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// - Parameter text: In ISO 8601, also with a blank for the `T` or before the zone, and without seconds or zone, which then is UTC;
    ///   or in seconds since 1970.
    static func date(_ text: String) -> Date? {
        if let seconds = Int(text) { return seconds >= minimumSecondsInText ? date(seconds: Double(seconds)) : nil }
        return parseISO8601(text) ?? completingISO8601(text).flatMap { parseISO8601($0) }
    }

    /// The offset from UTC, in seconds, that a text in ISO 8601 names: `-14400` for `…T08:15:00-04:00`.
    ///
    /// nil without one, and for `Z`, which tells the instant and not the clock of a place (RFC 9557 §2).
    static func offset(in text: String) -> Int? {
        guard date(text) != nil, let divider = text.firstIndex(where: { "Tt ".contains($0) }),
            let sign = text[divider...].firstIndex(where: { "+-".contains($0) })
        else { return nil }
        let digits = text[sign...].filter(\.isASCIIDigit)
        guard digits.count == 2 || digits.count == 4, let hours = Int(digits.prefix(2)), let minutes = Int("0\(digits.dropFirst(2))"),
            hours <= 18, minutes < 60
        else { return nil }
        return (text[sign] == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// With or without fractions of seconds.
    private static func parseISO8601(_ text: String) -> Date? {
        (try? style.parse(text))
            ?? (try? style.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted).parse(text))
    }

    /// The same moment with all that was left out; nil when it is none.
    private static func completingISO8601(_ text: String) -> String? {
        let day = text.prefix { $0.isASCIIDigit || $0 == "-" }
        let rest = text[day.endIndex...]
        guard day.prefix(while: \.isASCIIDigit).count == 4, let divider = rest.first, "Tt ".contains(divider) else { return nil }
        let time = rest.dropFirst().prefix { $0.isASCIIDigit || $0 == ":" || $0 == "." }
        let zone = text[time.endIndex...].trimmingCharacters(in: .whitespaces)
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, let hour = Int(parts[0]), let minute = Int(parts[1]), hour <= 24, minute < 60, isZone(zone) else {
            return nil
        }
        return "\(day)T\(time)\(parts.count == 2 ? ":00" : "")\(zone.isEmpty ? "Z" : zone)"
    }

    private static func isZone(_ text: String) -> Bool {
        guard let sign = text.first, "+-".contains(sign) else { return ["", "Z", "UTC", "GMT"].contains(text.uppercased()) }
        return text.dropFirst().allSatisfy { $0.isASCIIDigit || $0 == ":" }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { self >= "0" && self <= "9" }
}
