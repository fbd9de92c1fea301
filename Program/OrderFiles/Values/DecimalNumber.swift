import Foundation

/// A finite number in decimal digits, such as `-74.05` or `1e-05`.
struct DecimalNumber {
    let value: Double
    /// The number of digits behind a decimal comma; nil without one.
    let commaDigits: Int?

    /// Parses a number; nil for another form, or if it is too large for a `Double`.
    init?(_ bytes: Span<UInt8>, allowsComma: Bool = false) {
        var scan = ByteScan(bytes.count)
        let isNegative = scan.skip(UInt8(ascii: "-"), bytes)
        if !isNegative { _ = scan.skip(UInt8(ascii: "+"), bytes) }
        let whole = scan.digits(bytes)
        let hasComma = allowsComma && scan.skip(UInt8(ascii: ","), bytes)
        let hasSeparator = hasComma || scan.skip(UInt8(ascii: "."), bytes)
        let fraction = hasSeparator ? scan.digits(bytes) : 0..<0
        guard !whole.isEmpty, !hasSeparator || !fraction.isEmpty else { return nil }
        let hasExponent = Self.skipExponent(&scan, bytes)
        guard scan.isAtEnd, let value = Self.value(bytes, whole, fraction, isNegative, hasExponent) else { return nil }
        self.value = value
        commaDigits = hasComma ? fraction.count : nil
    }

    private static func skipExponent(_ scan: inout ByteScan, _ bytes: Span<UInt8>) -> Bool {
        let start = scan
        guard scan.skip(UInt8(ascii: "e"), bytes) || scan.skip(UInt8(ascii: "E"), bytes) else { return false }
        if !scan.skip(UInt8(ascii: "-"), bytes) { _ = scan.skip(UInt8(ascii: "+"), bytes) }
        if scan.digits(bytes).isEmpty { scan = start }
        return true
    }

    private static func value(
        _ bytes: Span<UInt8>, _ whole: Range<Int>, _ fraction: Range<Int>, _ isNegative: Bool, _ hasExponent: Bool
    ) -> Double? {
        if !hasExponent, whole.count + fraction.count <= 15 {
            // Both numbers are exact, so the quotient is rounded once.
            let digits = bytes.integer(fraction, bytes.integer(whole))
            let value = Double(digits) / powersOfTen[fraction.count]
            return isNegative ? -value : value
        }
        let text = String(copying: bytes).replacing(",", with: ".")
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    private static let powersOfTen: [Double] = (0...15).reduce(into: [1]) { powers, _ in powers.append((powers.last ?? 1) * 10) }
}

/// A position in bytes that are parsed from left to right.
struct ByteScan {
    private(set) var index = 0
    private let end: Int

    init(_ count: Int) { end = count }

    var isAtEnd: Bool { index == end }

    mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard index < end, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// Skips digits, and returns their range.
    mutating func digits(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = index
        while index < end, bytes[index].isDigit { index += 1 }
        return start..<index
    }

    /// Skips spaces, tabs and line ends, and returns whether there were any.
    mutating func skipWhitespace(_ bytes: Span<UInt8>) -> Bool {
        let start = index
        while index < end, bytes[index].isBlank { index += 1 }
        return index > start
    }

    mutating func advance() { index += 1 }
}

extension Span<UInt8> {
    /// Returns the value of digits, appended to those of another number.
    ///
    /// - Precondition: The result has at most 18 digits.
    func integer(_ digits: Range<Int>, _ leading: Int = 0) -> Int {
        var value = leading
        for index in digits { value = value * 10 + Int(self[index] - .zero) }
        return value
    }

    /// The range of the bytes without the blanks around them.
    var trimmedRange: Range<Int> {
        var (start, end) = (0, count)
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}
