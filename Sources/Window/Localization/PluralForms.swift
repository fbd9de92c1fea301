/// The forms of a text that counts, in one language; `#` stands for the number.
///
/// Each language has a type of as many forms as it tells apart, so that the compiler misses a form that is left out. A form that speaks for one
/// number alone may do without `#`.
protocol PluralForms: Sendable {
    /// Nil where the language does not tell a category apart, and where 0 needs no words of its own.
    subscript(category: PluralCategory) -> String? { get }
    var other: String { get }
}

extension PluralForms {
    /// The form for a whole number in a language.
    func form(for count: Int, in language: Language) -> String {
        let form = (count == 0 ? self[.zero] : nil) ?? self[PluralCategory(of: count, in: language)] ?? other
        // Without a place for the number its sign would be lost.
        return count < 0 && !form.contains("#") ? other : form
    }
}

/// The forms of languages that tell one from many: English and German.
struct TwoForms: PluralForms {
    /// Said in place of the number 0, where that sounds better.
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

/// The form of languages that count without changing words: Chinese.
struct OneForm: PluralForms {
    /// Said in place of the number 0, where that sounds better.
    var zero: String?
    let other: String

    subscript(category: PluralCategory) -> String? { category == .zero ? zero : nil }
}

/// The forms of Arabic.
struct SixForms: PluralForms {
    let zero: String
    let one: String
    let two: String
    /// 3 to 10, and what ends so above 100.
    let few: String
    /// 11 to 99, and what ends so above 100.
    let many: String
    /// 100 to 102, and what ends so.
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
