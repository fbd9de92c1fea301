import OrderStorage

/// The price of a row: `42.50`, and where commas do not separate the columns also `42,50`.
enum PriceText {
    /// Returns the price with a decimal point.
    ///
    /// - Parameter bytes: A text without blanks around it.
    static func parse(_ bytes: Span<UInt8>, allowsComma: Bool) throws(RowProblem) -> String {
        let text = String(copying: bytes)
        if OrderContentRules.violation(of: text, in: .price) == nil { return text }
        var scan = ByteScan(bytes.count)
        let whole = scan.digits(bytes)
        guard !whole.isEmpty else { throw .content(.price) }
        if scan.skip(UInt8(ascii: ","), bytes) {
            let fraction = scan.digits(bytes)
            if scan.isAtEnd, !fraction.isEmpty { return try price(text, fraction.count, allowsComma) }
        }
        throw hasGroupingSeparators(bytes) ? .groupingSeparator : .content(.price)
    }

    /// Returns the price of digits, a comma and digits.
    private static func price(_ text: String, _ fractionCount: Int, _ allowsComma: Bool) throws(RowProblem) -> String {
        guard fractionCount != 3 else { throw allowsComma ? .ambiguousComma : .groupingSeparator }
        guard allowsComma else { throw .decimalComma }
        let price = text.replacing(",", with: ".")
        if let violation = OrderContentRules.violation(of: price, in: .price) { throw .content(violation) }
        return price
    }

    /// Whether a separator is followed by exactly three digits, and all other characters are digits and separators.
    private static func hasGroupingSeparators(_ bytes: Span<UInt8>) -> Bool {
        var scan = ByteScan(bytes.count)
        var hasGroup = false
        _ = scan.digits(bytes)
        while !scan.isAtEnd {
            guard skipSeparator(&scan, bytes) else { return false }
            hasGroup = scan.digits(bytes).count == 3 || hasGroup
        }
        return hasGroup
    }

    /// Skips `,`, `.`, `'`, `’`, a space, a no-break space or a narrow one.
    private static func skipSeparator(_ scan: inout ByteScan, _ bytes: Span<UInt8>) -> Bool {
        let separators: [[UInt8]] = [[0x2C], [0x2E], [0x27], [0x20], [0xC2, 0xA0], [0xE2, 0x80, 0x99], [0xE2, 0x80, 0xAF]]
        return separators.contains { separator in
            let start = scan
            let isSkipped = separator.allSatisfy { scan.skip($0, bytes) }
            if !isSkipped { scan = start }
            return isSkipped
        }
    }
}
