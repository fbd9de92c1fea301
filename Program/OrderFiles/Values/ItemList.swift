import OrderStorage

/// The items of an order in a cell: `12 x 1.5 kg; 7 x 2 pcs`.
///
/// An item is the id of a grocery, `x`, a quantity and a unit, which may be missing. The quantity ends at a blank; `-` is an empty one. A
/// backslash precedes a blank, a semicolon, a backslash or a hyphen that is part of the text.
enum ItemList {
    private static let separator = UInt8(ascii: ";")
    private static let hyphen = UInt8(ascii: "-")

    /// Returns the items of a cell; nil for another form.
    static func parse(_ bytes: Span<UInt8>) -> [OrderContent.Item]? {
        var scan = ByteScan(bytes.count)
        var items: [OrderContent.Item] = []
        while true {
            _ = scan.skipWhitespace(bytes)
            if scan.isAtEnd { return items }
            if scan.skip(separator, bytes) { continue }
            guard let item = parseItem(&scan, bytes) else { return nil }
            items.append(item)
            // The rules refuse more items; the others need not be parsed.
            if items.count > OrderContentRules.itemLimit { return items }
        }
    }

    private static func parseItem(_ scan: inout ByteScan, _ bytes: Span<UInt8>) -> OrderContent.Item? {
        let digits = scan.digits(bytes)
        guard !digits.isEmpty, let id = digits.count < 19 ? bytes.integer(digits) : Int(String(copying: bytes.extracting(digits))) else {
            return nil
        }
        _ = scan.skipWhitespace(bytes)
        guard skipTimes(&scan, bytes) else { return nil }
        _ = scan.skipWhitespace(bytes)
        guard let quantity = text(&scan, bytes, endsAtBlank: true) else { return nil }
        _ = scan.skipWhitespace(bytes)
        guard let unit = text(&scan, bytes, endsAtBlank: false) else { return nil }
        return OrderContent.Item(id: id, quantity: quantity, unit: unit)
    }

    /// Skips `x`, `X`, `*` or `×`.
    private static func skipTimes(_ scan: inout ByteScan, _ bytes: Span<UInt8>) -> Bool {
        if scan.skip(0xC3, bytes) { return scan.skip(0x97, bytes) }
        return scan.skip(UInt8(ascii: "x"), bytes) || scan.skip(UInt8(ascii: "X"), bytes) || scan.skip(UInt8(ascii: "*"), bytes)
    }

    /// Returns the text up to an unescaped semicolon or blank; nil if a quantity is missing, or a backslash is the last character.
    private static func text(_ scan: inout ByteScan, _ bytes: Span<UInt8>, endsAtBlank: Bool) -> String? {
        let start = scan.index
        // The end without unescaped blanks.
        var end = start
        var hasEscape = false
        while !scan.isAtEnd, bytes[scan.index] != separator, !endsAtBlank || !bytes[scan.index].isBlank {
            let isEscaped = scan.skip(.backslash, bytes)
            guard !scan.isAtEnd else { return nil }
            let isBlank = bytes[scan.index].isBlank
            scan.advance()
            if isEscaped || !isBlank { end = scan.index }
            hasEscape = hasEscape || isEscaped
        }
        let text = bytes.extracting(start..<end)
        if hasEscape { return unescaped(text) }
        if endsAtBlank, text.count == 0 { return nil }
        return endsAtBlank && text.count == 1 && text[0] == hyphen ? "" : String(copying: text)
    }

    private static func unescaped(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        var scan = ByteScan(bytes.count)
        while !scan.isAtEnd {
            _ = scan.skip(.backslash, bytes)
            text.append(bytes[scan.index])
            scan.advance()
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the items as a cell.
    static func text(_ items: [OrderContent.Item]) -> String {
        items.map { item in
            let quantity = item.quantity.isEmpty ? "-" : item.quantity == "-" ? "\\-" : escaped(item.quantity, blanks: .all)
            let unit = escaped(item.unit, blanks: .atEnds)
            return "\(item.id) x \(quantity)" + (unit.isEmpty ? "" : " \(unit)")
        }.joined(separator: "; ")
    }

    private enum EscapedWhitespace { case all, atEnds }

    private static func escaped(_ text: String, blanks: EscapedWhitespace) -> String {
        let bytes = Array(text.utf8)
        let inner = bytes.span.trimmedRange
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isEscapedBlank = byte.isBlank && (blanks == .all || !inner.contains(index))
            if isEscapedBlank || byte == separator || byte == .backslash { result.append(.backslash) }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
