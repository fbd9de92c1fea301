/// A parser of amounts of money in free text: `$1,092.14`, `EUR 92`, `92,14 €`, `-$5.00`.
enum MoneyReader {
    /// The maximum number of digits of an amount.
    private static let digitLimit = 15
    /// The maximum number of characters of a currency.
    private static let currencyLimit = 8
    private static let spaces: Set<Character> = [" ", "\u{A0}", "\u{202F}", "\u{2009}"]

    static func amount(_ text: String) -> Money.Amount? {
        var rest = text[...]
        var isNegative = readSign(&rest)
        let before = readCurrency(&rest)
        // The sign may precede or follow the currency, once.
        if !isNegative { isNegative = readSign(&rest) }
        let number = rest.prefix { $0.isDigit || $0 == "." || $0 == "," || $0 == "'" || $0 == "’" || spaces.contains($0) }
        rest = rest[number.endIndex...]
        let after = readCurrency(&rest)
        guard rest.isEmpty, before.isEmpty || after.isEmpty, let hundredths = cents(of: number.trimmingSpaces) else { return nil }
        return Money.Amount(currency: before + after, hundredths: isNegative ? -hundredths : hundredths)
    }

    private static func readSign(_ rest: inout Substring) -> Bool {
        rest = rest.drop(while: spaces.contains)
        guard let first = rest.first, first == "-" || first == "\u{2212}" else { return false }
        rest.removeFirst()
        return true
    }

    private static func readCurrency(_ rest: inout Substring) -> String {
        rest = rest.drop(while: spaces.contains)
        let currency = rest.prefix { $0.isLetter || $0.isCurrencySymbol }
        guard currency.count <= currencyLimit else { return "" }
        rest = rest[currency.endIndex...].drop(while: spaces.contains)
        return String(currency)
    }

    /// Returns the number in hundredths. One or two digits after the last separator are hundredths; all other groups have three digits.
    private static func cents(of number: Substring) -> Int? {
        var groups = number.split(omittingEmptySubsequences: false) { !$0.isDigit }
        var fraction: Substring = ""
        if groups.count > 1, let last = groups.last, last.count < 3 {
            guard let separator = number.dropLast(last.count).last, separator == "." || separator == "," else { return nil }
            fraction = groups.removeLast()
        }
        let areThousands = groups.dropFirst().allSatisfy { $0.count == 3 } && (groups.count == 1 || groups[0].count <= 3)
        guard areThousands, groups.allSatisfy({ !$0.isEmpty }), number.last?.isDigit == true else { return nil }
        let digits = groups.joined() + fraction + String(repeating: "0", count: 2 - fraction.count)
        return digits.count <= digitLimit ? Int(digits) : nil
    }
}

extension Character {
    fileprivate var isDigit: Bool { self >= "0" && self <= "9" }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.last == " " || text.last == "\u{A0}" || text.last == "\u{202F}" { text.removeLast() }
        return text
    }
}
