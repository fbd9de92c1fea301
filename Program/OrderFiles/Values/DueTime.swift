import Foundation
import OrderLifecycle

/// The due time of a row: a date and a time of day, with or without an offset from UTC.
///
/// Forms are `2026-05-15T12:00:00.000Z` and its variants (ISO 8601: a space instead of `T`, without seconds, offsets such as `+02:00`,
/// `+0200` and `+02`), and `15.05.2026 12:00`.
struct DueTime {
    private static let minutesPerDay = 1_440

    /// The days since 1 January 1970.
    private var day = 0
    /// The minutes since midnight.
    private var minute = 0
    private var second = 0
    private var millisecond = 0
    /// The offset from UTC in minutes; nil for a time in the time zone of the file.
    private var offset: Int?

    /// Parses a time.
    ///
    /// - Parameter bytes: A text without blanks around it.
    init(_ bytes: Span<UInt8>) throws(TimeProblem) {
        var scan = ByteScan(bytes.count)
        try parseDate(&scan, bytes)
        guard !scan.isAtEnd else { throw .dateWithoutTime }
        let isSeparated = scan.skip(UInt8(ascii: "T"), bytes) || scan.skip(UInt8(ascii: "t"), bytes) || scan.skipWhitespace(bytes)
        guard isSeparated else { throw .unknownForm }
        try parseTime(&scan, bytes)
        _ = scan.skipWhitespace(bytes)
        try parseOffset(&scan, bytes)
        guard scan.isAtEnd else { throw .unknownForm }
    }

    /// Returns the point in time.
    func timestamp(_ offsets: inout ZoneOffsets) throws(TimeProblem) -> Timestamp {
        let local = Int64(day * Self.minutesPerDay + minute) * 60 + Int64(second)
        if let offset { return try timestamp(at: local - Int64(offset) * 60) }
        guard let seconds = offsets.time(ofLocal: local) else { throw .skipped(timeZone: offsets.timeZone.identifier) }
        return try timestamp(at: seconds)
    }

    /// Returns the point in time of a second since 1970, which the offset may have moved out of the years 0001 to 9999.
    private func timestamp(at seconds: Int64) throws(TimeProblem) -> Timestamp {
        let time = Timestamp(milliseconds: seconds * 1_000 + Int64(millisecond))
        guard Timestamp.rfc3339Range.contains(time) else { throw .outOfRange }
        return time
    }

    private mutating func parseDate(_ scan: inout ByteScan, _ bytes: Span<UInt8>) throws(TimeProblem) {
        let first = scan.digits(bytes)
        guard !first.isEmpty, first.count <= 4 else { throw .unknownForm }
        let separators = [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/")]
        guard let separator = separators.first(where: { scan.skip($0, bytes) }) else { throw .unknownForm }
        let second = scan.digits(bytes)
        guard scan.skip(separator, bytes) else { throw .unknownForm }
        let third = scan.digits(bytes)
        guard (1...2).contains(second.count) else { throw .unknownForm }
        switch (separator, first.count, third.count) {
        case (UInt8(ascii: "/"), 1...2, 2...4): throw .ambiguousDate
        case (UInt8(ascii: "-"), 4, 2): try setDate(bytes.integer(first), bytes.integer(second), bytes.integer(third))
        case (UInt8(ascii: "."), 1...2, 4): try setDate(bytes.integer(third), bytes.integer(second), bytes.integer(first))
        default: throw .unknownForm
        }
    }

    private mutating func parseTime(_ scan: inout ByteScan, _ bytes: Span<UInt8>) throws(TimeProblem) {
        let hours = scan.digits(bytes)
        guard (1...2).contains(hours.count), scan.skip(UInt8(ascii: ":"), bytes) else { throw .unknownForm }
        let minutes = scan.digits(bytes)
        guard minutes.count == 2 else { throw .unknownForm }
        minute = bytes.integer(hours) * 60 + bytes.integer(minutes)
        guard bytes.integer(hours) < 24, bytes.integer(minutes) < 60 else { throw .outOfRange }
        guard scan.skip(UInt8(ascii: ":"), bytes) else { return }
        let seconds = scan.digits(bytes)
        guard seconds.count == 2 else { throw .unknownForm }
        guard bytes.integer(seconds) < 61 else { throw .outOfRange }
        // A leap second is the second before it, as in `Timestamp(text:)`.
        second = min(bytes.integer(seconds), 59)
        guard scan.skip(UInt8(ascii: "."), bytes) || scan.skip(UInt8(ascii: ","), bytes) else { return }
        let fraction = scan.digits(bytes)
        guard (1...9).contains(fraction.count) else { throw .unknownForm }
        let digits = fraction.prefix(3)
        millisecond = bytes.integer(digits) * [100, 10, 1][digits.count - 1]
    }

    private mutating func parseOffset(_ scan: inout ByteScan, _ bytes: Span<UInt8>) throws(TimeProblem) {
        guard !scan.isAtEnd else { return }
        if scan.skip(UInt8(ascii: "Z"), bytes) || scan.skip(UInt8(ascii: "z"), bytes) {
            offset = 0
            return
        }
        let isNegative = scan.skip(UInt8(ascii: "-"), bytes)
        guard isNegative || scan.skip(UInt8(ascii: "+"), bytes) else { throw .unknownForm }
        let digits = scan.digits(bytes)
        let hasColon = digits.count == 2 && scan.skip(UInt8(ascii: ":"), bytes)
        let minuteDigits = hasColon ? scan.digits(bytes) : digits.dropFirst(2)
        guard digits.count == 2 || digits.count == 4, minuteDigits.count == 2 || minuteDigits.isEmpty && !hasColon else {
            throw .unknownForm
        }
        let (hours, minutes) = (bytes.integer(digits.prefix(2)), bytes.integer(minuteDigits))
        guard hours < 24, minutes < 60 else { throw .outOfRange }
        offset = (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }

    private mutating func setDate(_ year: Int, _ month: Int, _ day: Int) throws(TimeProblem) {
        guard year > 0, (1...12).contains(month), (1...Self.days(inMonth: month, year)).contains(day) else { throw .outOfRange }
        // Years begin in March, so that the day of a leap year is the last: 400 years have 146,097 days.
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        self.day = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(inMonth month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
