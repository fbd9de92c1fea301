import Foundation

/// Numbers in the notation of programs, `-1.5`, with the digits 0 to 9 alone.
extension MarkupElement {
    /// The most characters of a decimal number, so that no digit of it is lost.
    private static let decimalLimit = 30

    /// The whole number, not below zero, that a child holds.
    func count(_ name: String) throws(OrderDocumentError) -> Int {
        let text = try text(of: name)
        guard let count = text.asWholeNumber else { throw .notANumber("\(self.name)/\(name)", text: text) }
        guard count >= 0 else { throw .outOfRange("\(self.name)/\(name)", text: text) }
        return count
    }

    /// The decimal number that a child holds, exactly as written: no digit is lost to binary fractions.
    func decimal(_ name: String) throws(OrderDocumentError) -> Decimal {
        let text = try text(of: name)
        guard text.utf8.count <= Self.decimalLimit, text.isPlainDecimal, let number = Decimal(string: text) else {
            throw .notANumber("\(self.name)/\(name)", text: text)
        }
        return number
    }

    /// The degrees that a child holds, within ± the limit.
    func degrees(_ name: String, limit: Double) throws(OrderDocumentError) -> Double {
        let text = try text(of: name)
        guard let first = text.utf8.first, first != UInt8(ascii: "+"), text.utf8.allSatisfy(\.isPartOfDecimal), let degrees = Double(text)
        else { throw .notANumber("\(self.name)/\(name)", text: text) }
        guard abs(degrees) <= limit else { throw .outOfRange("\(self.name)/\(name)", text: text) }
        return degrees
    }
}

extension String {
    /// The whole number that this is; nil for anything else, a sign of plus included.
    var asWholeNumber: Int? { utf8.first == UInt8(ascii: "+") ? nil : Int(self) }

    /// Whether this is digits with at most one point among them, and perhaps a minus before them.
    fileprivate var isPlainDecimal: Bool {
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
    /// What a number with an exponent is made of: `-1.5e-7`. Leaves out what else `Double` reads: words and hexadecimal digits.
    fileprivate var isPartOfDecimal: Bool {
        isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self | 0x20 == UInt8(ascii: "e")
            || self == UInt8(ascii: "+")
    }
}
