import Foundation

/// An HTTP timestamp with a resolution of one second (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
struct HTTPDate: Hashable, Comparable, Sendable {
    let text: String
    private let date: Date

    init(_ date: Date) {
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        text = self.date.formatted(Self.preferredStyle)
    }

    /// Parses any of the three formats that a recipient must accept.
    init?(_ text: String) {
        let parsed = Self.styles.lazy.compactMap { try? Date(text, strategy: $0.parseStrategy) }.first
        guard let parsed else { return nil }
        self.init(parsed)
    }

    static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.date < right.date
    }
}

extension HTTPDate {
    private static let styles = [preferredStyle, legacyStyle, asctimeStyle]

    private static let preferredStyle = style(
        """
        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
        """
    )

    /// The RFC 850 format: `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static let legacyStyle = style(
        """
        \(weekday: .wide), \(day: .twoDigits)-\(month: .abbreviated)-\(year: .twoDigits) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
        """
    )

    /// The format of C's `asctime()`: `Sun Nov  6 08:49:37 1994`.
    private static let asctimeStyle = style(
        """
        \(weekday: .abbreviated) \(month: .abbreviated) \(day: .defaultDigits) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) \
        \(year: .padded(4))
        """
    )

    private static func style(_ format: Date.FormatString) -> Date.VerbatimFormatStyle {
        Date.VerbatimFormatStyle(
            format: format,
            locale: Locale(identifier: "en_US_POSIX"),
            timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian)
        )
    }
}
