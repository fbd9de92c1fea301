/// A parser of items in structured fields (RFC 9651 §3.3), without their parameters.
package enum StructuredItem {
    /// Parses a Boolean (RFC 9651 §3.3.6); nil for any other text.
    package static func flag(_ text: String) -> Bool? {
        switch FieldList.withoutParameters(text) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// Parses an integer of at most 15 digits that has no sign (RFC 9651 §3.3.1); nil for any other text.
    package static func number(_ text: String) -> Int? {
        let digits = FieldList.withoutParameters(text)
        return digits.utf8.count <= 15 ? ContentRange.number(digits) : nil
    }
}
