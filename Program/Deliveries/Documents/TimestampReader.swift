import Foundation

/// A parser of timestamps: `2014-10-06T10:45:38-08:00`, `2014-10-06 10:45`, `1412621138`.
enum TimestampReader {
    /// The upper bound of numbers that are seconds; larger ones are milliseconds.
    private static let secondsLimit: Double = 100_000_000_000
    /// The minimum number of seconds in a text; fewer digits may as well be a year or a day.
    private static let minimumSecondsInText = 100_000_000
    private static let style = Date.ISO8601FormatStyle()

    /// Returns the date of a number of seconds; nil for milliseconds, and for 0, which servers send for an unknown time.
    ///
    /// - Parameter seconds: The seconds since 1970.
    static func date(seconds: Double) -> Date? {
        seconds > 0 && seconds < secondsLimit ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// Returns the date of a timestamp.
    ///
    /// - Parameter text: A date and time in ISO 8601, also with a space instead of the `T` or before the zone, and without seconds or zone
    ///   (UTC); or seconds since 1970.
    static func date(_ text: String) -> Date? {
        if let seconds = Int(text) { return seconds >= minimumSecondsInText ? date(seconds: Double(seconds)) : nil }
        return parseISO8601(text) ?? completingISO8601(text).flatMap { parseISO8601($0) }
    }

    /// Returns the offset from UTC in an ISO 8601 timestamp, in seconds: `-14400` for `…T08:15:00-04:00`.
    ///
    /// Returns nil without an offset, and for `Z`, which gives the instant but no local offset (RFC 9557 §2).
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

    /// Parses with or without fractional seconds.
    private static func parseISO8601(_ text: String) -> Date? {
        (try? style.parse(text))
            ?? (try? style.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted).parse(text))
    }

    /// Returns the timestamp with omitted seconds and zone added; nil when it is not recognized.
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
