/// A parser of items in structured fields (RFC 9651 §3.3), without their parameters.
package enum StructuredItem {
    /// Parses a Boolean (RFC 9651 §3.3.6); nil for any other text.
    package static func flag(_ text: String) -> Bool? {
        switch bareItem(text) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// Parses an integer of at most 15 digits that has no sign (RFC 9651 §3.3.1); nil for any other text.
    package static func number(_ text: String) -> Int? {
        let digits = bareItem(text)
        guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }

    private static func bareItem(_ text: String) -> Substring {
        FieldList.trimmed(Substring(text.utf8.prefix { $0 != UInt8(ascii: ";") }))
    }
}
