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
}
