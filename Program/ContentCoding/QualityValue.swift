/// The weight of a member in a field such as `Accept-Encoding` or `Accept-Language` (RFC 9110 §12.4.2).
package struct QualityValue: Comparable, Hashable, Sendable {
    /// The weight of a member without a `q` parameter.
    package static let highest = QualityValue(thousandths: 1_000)
    /// The weight of unacceptable members.
    package static let unacceptable = QualityValue(thousandths: 0)

    private let scaledValue: Int

    private init(thousandths: Int) {
        self.scaledValue = thousandths
    }

    /// Parses a parameter in lower case, such as `q=0.8`: at most 1, with at most three decimals; nil when it is malformed.
    package init?(_ parameter: Substring) {
        guard parameter.hasPrefix("q=") else { return nil }
        let digits = parameter.dropFirst(2).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = digits.count > 1 ? digits[1] : ""
        guard let whole = digits.first, whole == "0" || whole == "1", decimals.utf8.count <= 3 else { return nil }
        guard decimals.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        scaledValue = Int(whole + decimals + String(repeating: "0", count: 3 - decimals.count)) ?? 0
        if scaledValue > Self.highest.scaledValue { return nil }
    }

    package static func < (left: QualityValue, right: QualityValue) -> Bool { left.scaledValue < right.scaledValue }
}
