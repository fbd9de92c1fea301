import Foundation

/// An item of an order as a line of a form: its number, quantity and unit.
///
/// Between them are spaces or, where a space would be ambiguous, bars.
/// Between bars a backslash precedes a bar, a backslash or a blank that is part of the text; `\n` and `\r` are line breaks. Any other backslash is
/// part of the text.
struct ItemLine: Equatable {
    let number: String
    let quantity: String
    let unit: String

    init(_ item: APIOrder.Item) {
        (number, quantity, unit) = ("\(item.id)", item.quantity, item.unit)
    }

    /// Parses a line without line breaks. A missing quantity is 1.
    init(_ line: Substring) {
        // By bytes: an accent at the beginning of a unit makes the space before it another character.
        let isBarred = line.utf8.contains(UInt8(ascii: "|"))
        let parts = isBarred ? Self.barred(line) : line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2).map { String(Substring($0)) }
        number = parts.first ?? ""
        quantity = parts.count > 1 ? parts[1] : "1"
        unit = parts.count > 2 ? parts[2] : ""
    }

    /// The line with spaces if it is parsed to the same item, otherwise with bars.
    var text: String {
        let parts = [number, quantity, unit]
        let plain = parts.joined(separator: " ")
        let isUnambiguous = !plain.contains(where: \.isNewline) && ItemLine(Substring(plain)) == self
        return isUnambiguous ? plain : parts.map(Self.escaped).joined(separator: " | ")
    }

    private static func barred(_ line: Substring) -> [String] {
        var parts = [BarredText()]
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if isEscaped {
                for scalar in unescaped(scalar) { parts[parts.count - 1].append(scalar) }
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "|", parts.count < 3 {
                parts.append(BarredText())
            } else {
                parts[parts.count - 1].appendUnescaped(scalar)
            }
        }
        if isEscaped { parts[parts.count - 1].append("\\") }
        return parts.map { String($0.scalars) }
    }

    /// Returns the text of a scalar after a backslash.
    private static func unescaped(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        switch scalar {
        case "n": ["\n"]
        case "r": ["\r"]
        case "|", "\\": [scalar]
        default: scalar.isBlank ? [scalar] : ["\\", scalar]
        }
    }

    private static func escaped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let ends: [String.Index?] = [scalars.startIndex, scalars.indices.last]
        var result = String.UnicodeScalarView()
        for index in scalars.indices {
            switch scalars[index] {
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            case let scalar:
                if scalar == "|" || scalar == "\\" || scalar.isBlank && ends.contains(index) { result.append("\\") }
                result.append(scalar)
            }
        }
        return String(result)
    }
}

/// A text between bars, without the unescaped blanks at its ends.
private struct BarredText {
    private(set) var scalars = String.UnicodeScalarView()
    /// Unescaped blanks, which are part of the text if it continues.
    private var blanks = String.UnicodeScalarView()

    mutating func append(_ scalar: Unicode.Scalar) {
        scalars.append(contentsOf: blanks)
        blanks = String.UnicodeScalarView()
        scalars.append(scalar)
    }

    mutating func appendUnescaped(_ scalar: Unicode.Scalar) {
        if !scalar.isBlank { append(scalar) } else if !scalars.isEmpty { blanks.append(scalar) }
    }
}

extension Unicode.Scalar {
    fileprivate var isBlank: Bool { CharacterSet.whitespaces.contains(self) }
}
