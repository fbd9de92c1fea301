/// The plural forms of a text in one language; `#` is replaced with the number.
///
/// Each language has a type with exactly its forms, so that the compiler enforces that none is missing. A form for one number only may omit `#`.
protocol PluralForms: Sendable {
    /// Returns the form of a category; nil for categories that the language does not distinguish, and for 0 without a special text.
    subscript(category: PluralCategory) -> String? { get }
    var other: String { get }
}

extension PluralForms {
    /// Returns the form for a whole number in a language.
    func form(for count: Int, in language: Language) -> String {
        let form = (count == 0 ? self[.zero] : nil) ?? self[PluralCategory(of: count, in: language)] ?? other
        // A form without `#` would lose the sign.
        return count < 0 && !form.contains("#") ? other : form
    }
}

/// The forms of languages with singular and plural: English and German.
struct TwoForms: PluralForms {
    /// The special text for 0; nil for none.
    var zero: String?
    let one: String
    let other: String

    subscript(category: PluralCategory) -> String? {
        switch category {
        case .zero: zero
        case .one: one
        case .two, .few, .many, .other: nil
        }
    }
}

/// The form of languages without plurals: Chinese.
struct OneForm: PluralForms {
    /// The special text for 0; nil for none.
    var zero: String?
    let other: String

    subscript(category: PluralCategory) -> String? { category == .zero ? zero : nil }
}

/// The forms of Arabic.
struct ArabicForms: PluralForms {
    let zero: String
    let one: String
    let two: String
    /// The form for 3 to 10, and for larger numbers that end in 03 to 10.
    let few: String
    /// The form for 11 to 99, and for larger numbers that end in 11 to 99.
    let many: String
    /// The form for 100 to 102, and for larger numbers that end in 00 to 02.
    let other: String

    subscript(category: PluralCategory) -> String? {
        switch category {
        case .zero: zero
        case .one: one
        case .two: two
        case .few: few
        case .many: many
        case .other: other
        }
    }
}
