/// A day of the Gregorian calendar in ISO 8601 notation: `2012-08-06`.
public struct EarthDate: Hashable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int
}

extension EarthDate: Comparable {
    public static func < (one: EarthDate, other: EarthDate) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }
}

extension EarthDate: LosslessStringConvertible {
    /// Parses a date.
    ///
    /// - Parameter text: `2012-08-06` or `2012-8-6`; nil when there is no such day.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), 1...12 ~= month, 1...31 ~= day
        else { return nil }
        let date = EarthDate(year: year, month: month, day: day)
        // An invalid day, such as February 30, does not survive the round trip.
        guard EarthDate(daysSinceEpoch: date.daysSinceEpoch) == date else { return nil }
        self = date
    }

    /// - Parameter timestamp: An ISO 8601 timestamp, of which only the date is used: `2012-08-07T04:52:33.000Z`.
    init?(timestamp: String) {
        self.init(String(timestamp.prefix(10)))
    }

    public var description: String {
        func padded(_ number: Int, to length: Int) -> String {
            String(repeating: "0", count: max(0, length - number.description.count)) + number.description
        }
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }
}

extension EarthDate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = EarthDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid date")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

// MARK: - Day numbers

extension EarthDate {
    /// The number of days in 400 years. Years begin in March here, so that the leap day is the last of its year.
    private static let daysOf400Years = 146_097

    /// The number of days since 1970-01-01.
    var daysSinceEpoch: Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * Self.daysOf400Years + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// - Parameter daysSinceEpoch: The number of days since 1970-01-01.
    init(daysSinceEpoch: Int) {
        let days = daysSinceEpoch + 719_468
        let era = days / Self.daysOf400Years
        let dayOfEra = days - era * Self.daysOf400Years
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        self.init(year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    /// Returns the day on which a sol begins, give or take one day, for sources without dates; `self` is the landing date.
    func adding(_ sol: Sol) -> EarthDate {
        EarthDate(daysSinceEpoch: daysSinceEpoch + Int(Double(sol.number) * Sol.earthDays))
    }
}
