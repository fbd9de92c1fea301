/// The components of a date and a time that a text contains.
struct DateParts {
    private(set) var year: Int?
    private(set) var month: Int?
    private(set) var day: Int?
    private(set) var secondOfDay: Int?
    private(set) var utcOffset: Int?
    /// Whether the text names the zone `Z`.
    private(set) var isInUTC = false

    private var text: [UInt8]
    private var position = 0
    /// Whether the date is in ISO 8601 notation, where a sign after the time begins a zone.
    private var isISO8601 = false
    /// Numbers of one or two digits that may be a day or an hour.
    private var remainingNumbers: [Int] = []

    /// The accepted years. Four digits outside of this range may be a time.
    private static let years = 1_900...2_199
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    ]
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// Creates the components of a text; nil when any part of it is not recognized.
    init?(_ text: String) {
        self.text = text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.utf8) : text.unicodeScalars.map(\.asciiValue)
        while let byte = next {
            let isRead =
                if byte.isASCIIDigit { readNumber() } else if byte.isASCIILetter { readWord() } else { readSeparator() }
            guard isRead else { return nil }
        }
        if day == nil, remainingNumbers.count == 1 { day = remainingNumbers.removeFirst() }
        guard remainingNumbers.isEmpty else { return nil }
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }
}

// MARK: - Numbers

extension DateParts {
    private mutating func readNumber() -> Bool {
        guard let (number, length) = readDigits() else { return false }
        if next == UInt8(ascii: ":") { return readTime(hour: number) }
        if length == 4 {
            guard year == nil, Self.years.contains(number) else { return false }
            year = number
            return next != UInt8(ascii: "-") || readMonthAndDay()
        }
        guard length <= 2, remainingNumbers.count < 2 else { return false }
        remainingNumbers.append(number)
        skipOrdinal()
        return true
    }

    /// Reads the month and day after the year of an ISO 8601 date.
    private mutating func readMonthAndDay() -> Bool {
        position += 1
        guard month == nil, let month = readDigits()?.number, next == UInt8(ascii: "-") else { return false }
        position += 1
        guard day == nil, remainingNumbers.isEmpty, let day = readDigits()?.number else { return false }
        (self.month, self.day, isISO8601) = (month, day, true)
        return true
    }

    /// Reads `:16` or `:16:30.5`. A second time, the end of a time span, is skipped.
    private mutating func readTime(hour: Int) -> Bool {
        var parts = [hour]
        while next == UInt8(ascii: ":"), parts.count < 3 {
            position += 1
            guard let part = readDigits(), part.length == 2 else { return false }
            parts.append(part.number)
        }
        if parts.count == 3, next == UInt8(ascii: ".") {
            position += 1
            guard readDigits() != nil else { return false }
        }
        guard hour < 24, parts[1] < 60, parts.count < 3 || parts[2] <= 60 else { return false }
        if secondOfDay == nil { secondOfDay = hour * 3_600 + parts[1] * 60 + (parts.count < 3 ? 0 : parts[2]) }
        return true
    }

    private mutating func readZone(sign: Int) -> Bool {
        position += 1
        guard let (number, length) = readDigits(), length == 2 || length == 4 else { return false }
        var (hours, minutes) = length == 4 ? (number / 100, number % 100) : (number, 0)
        if length == 2, next == UInt8(ascii: ":") {
            position += 1
            guard let part = readDigits(), part.length == 2 else { return false }
            minutes = part.number
        }
        guard hours <= 18, minutes < 60 else { return false }
        utcOffset = sign * (hours * 3_600 + minutes * 60)
        return true
    }

    private mutating func readDigits() -> (number: Int, length: Int)? {
        let digits = text[position...].prefix { $0.isASCIIDigit }
        guard (1...9).contains(digits.count) else { return nil }
        position = digits.endIndex
        return (digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, digits.count)
    }
}

// MARK: - Words

extension DateParts {
    private mutating func readWord() -> Bool {
        let characters = text[position...].prefix { $0.isASCIILetter || $0 == UInt8(ascii: ".") }
        position = characters.endIndex
        let word = String(decoding: characters.filter { $0 != UInt8(ascii: ".") }.map { $0 | 0x20 }, as: UTF8.self)
        switch word {
        case "am": return readDayPeriod(half: 0)
        case "pm": return readDayPeriod(half: 1)
        case "z": (utcOffset, isInUTC) = (0, true)
        case "utc", "gmt": utcOffset = 0
        case "at", "on", "of", "t": break
        default:
            if let index = Self.months.firstIndex(where: { word.isShortForm(of: $0) }) {
                guard month == nil else { return false }
                month = index + 1
            } else if !Self.weekdays.contains(where: { word.isShortForm(of: $0) }) {
                return false
            }
        }
        return true
    }

    /// Reads `AM` or `PM`, which belongs to the preceding time or to a bare hour.
    private mutating func readDayPeriod(half: Int) -> Bool {
        guard let time = secondOfDay ?? remainingNumbers.popLast().map({ $0 * 3_600 }), (3_600..<13 * 3_600).contains(time) else {
            return false
        }
        secondOfDay = time % (12 * 3_600) + half * 12 * 3_600
        return true
    }

    private mutating func skipOrdinal() {
        let ending = text[position...].prefix { $0.isASCIILetter }.map { $0 | 0x20 }
        if ["st", "nd", "rd", "th"].contains(where: { ending.elementsEqual($0.utf8) }) { position += 2 }
    }

    private mutating func readSeparator() -> Bool {
        if isISO8601, secondOfDay != nil, let sign = next.flatMap({ [0x2B: 1, 0x2D: -1][$0] }) { return readZone(sign: sign) }
        defer { position += 1 }
        return text[position].isXMLWhitespace || text[position] == UInt8(ascii: ",") || text[position] == UInt8(ascii: "-")
    }
}

extension String {
    /// Whether this string is a prefix of `word` with at least three bytes.
    fileprivate func isShortForm(of word: String) -> Bool { utf8.count >= 3 && word.hasPrefix(self) }
}

extension Unicode.Scalar {
    /// The scalar itself if it is ASCII, a space for white space, a hyphen for a dash, otherwise 0.
    fileprivate var asciiValue: UInt8 {
        if isASCII { return UInt8(value) }
        if properties.isWhitespace { return 0x20 }
        return properties.isDash ? UInt8(ascii: "-") : 0
    }
}
