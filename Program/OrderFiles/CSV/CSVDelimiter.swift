/// A character between the fields of a CSV file.
package enum CSVDelimiter: UInt8, CaseIterable, Sendable {
    case comma = 0x2C
    case semicolon = 0x3B
    case tab = 0x09
    case pipe = 0x7C

    /// Whether numbers in such files may have a decimal comma.
    package var allowsDecimalComma: Bool { self == .semicolon || self == .tab }
}

/// An incremental detector of the delimiter: the one of `,`, `;` and tab that the header contains most often, outside quotes.
struct CSVDelimiterDetector: Sendable {
    /// The largest number of bytes of a header that are scanned.
    private static let scanLimit = 65_536
    private static let candidates = [CSVDelimiter.comma, .semicolon, .tab]

    private var counts = [0, 0, 0]
    private var byteCount = 0
    private var isQuoted = false
    private var isAtFieldStart = true
    private var followsClosingQuote = false
    private var hasContent = false

    /// The delimiter by the bytes so far.
    var delimiter: CSVDelimiter {
        // The first of equal counts.
        let best = counts.indices.max { counts[$0] < counts[$1] || counts[$0] == counts[$1] && $0 > $1 } ?? 0
        return Self.candidates[best]
    }

    /// Scans further bytes, and returns whether the header is complete. Empty lines before it are ignored.
    mutating func scan(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            guard byteCount < Self.scanLimit, !isEnd(bytes[index]) else { return true }
            byteCount += 1
        }
        return false
    }

    private mutating func isEnd(_ byte: UInt8) -> Bool {
        if isQuoted {
            isQuoted = byte != .quote
            followsClosingQuote = byte == .quote
            return false
        }
        let isLineEnd = byte == .lineFeed || byte == .carriageReturn
        if isLineEnd { return hasContent }
        hasContent = true
        isQuoted = byte == .quote && (isAtFieldStart || followsClosingQuote)
        followsClosingQuote = false
        let candidate = Self.candidates.firstIndex { $0.rawValue == byte }
        if let candidate { counts[candidate] += 1 }
        isAtFieldStart = candidate != nil
        return false
    }
}
