import Foundation

/// Numbers in programming notation, such as `-1.5`, with the digits 0 to 9 only.
extension ParsedElement {
    /// Returns the non-negative whole number in a child.
    func count(_ name: String) throws(OrderDocumentError) -> Int {
        let text = try text(of: name)
        guard let count = text.asWholeNumber else { throw .notANumber("\(self.name)/\(name)", text: text) }
        guard count >= 0 else { throw .outOfRange("\(self.name)/\(name)", text: text) }
        return count
    }

    /// Returns the decimal number in a child exactly as written, without rounding to binary fractions.
    func decimal(_ name: String) throws(OrderDocumentError) -> Decimal {
        let text = try text(of: name)
        guard let number = text.asPlainDecimal else { throw .notANumber("\(self.name)/\(name)", text: text) }
        return number
    }

    /// Returns the degrees in a child, within ± `limit`.
    func degrees(_ name: String, limit: Double) throws(OrderDocumentError) -> Double {
        let text = try text(of: name)
        guard let first = text.utf8.first, first != UInt8(ascii: "+"), text.utf8.allSatisfy(\.isPartOfDecimal), let degrees = Double(text)
        else { throw .notANumber("\(self.name)/\(name)", text: text) }
        guard abs(degrees) <= limit else { throw .outOfRange("\(self.name)/\(name)", text: text) }
        return degrees
    }
}

extension String {
    /// The maximum number of bytes of a decimal number, so that no digit is lost.
    private static let decimalLimit = 30

    /// The whole number that this string represents; nil for anything else, including a leading plus.
    var asWholeNumber: Int? { utf8.first == UInt8(ascii: "+") ? nil : Int(self) }

    /// The decimal number that this string is, with all its digits; nil if any other character is in it, as in `1,5` or `1/2`.
    var asPlainDecimal: Decimal? { utf8.count <= Self.decimalLimit && isPlainDecimal ? Decimal(string: self) : nil }

    /// Whether this string is digits with at most one decimal point and an optional leading minus.
    private var isPlainDecimal: Bool {
        let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
        var points = 0
        for byte in digits where !byte.isASCIIDigit {
            guard byte == UInt8(ascii: ".") else { return false }
            points += 1
        }
        return points <= 1 && digits.count > points
    }
}

extension UInt8 {
    /// Whether the byte may occur in a number with an exponent, such as `-1.5e-7`. Excludes the words and hexadecimal digits that `Double` accepts.
    fileprivate var isPartOfDecimal: Bool {
        isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self | 0x20 == UInt8(ascii: "e")
            || self == UInt8(ascii: "+")
    }
}
