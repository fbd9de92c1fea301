extension Unicode.Scalar {
    /// Whether it belongs to a word of a search: a letter, a mark of one, or a digit. None of them has a meaning in a query of a database.
    package var isWordPart: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
            .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    /// Whether it is a Han character, or a character of Kana, Bopomofo or Hangul.
    var isIdeograph: Bool {
        switch value {
        case 0x1100...0x11FF, 0x3040...0x31FF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xFF66...0xFFDC: true
        default: properties.isIdeographic
        }
    }
}
