/// One text in every language of the window; the compiler misses a language that is left out.
struct Phrase: Sendable {
    private let en: String
    private let de: String

    init(en: String, de: String) {
        self.en = en
        self.de = de
    }

    subscript(language: Language) -> String {
        switch language {
        case .english: en
        case .german: de
        }
    }
}

/// The forms of a text that counts; `#` stands for the number.
struct PluralForms: Sendable {
    /// Said in place of the number 0, where that sounds better.
    var zero: String?
    let one: String
    let other: String

    /// The form for a number, by the plural rules of CLDR, which are the same for whole numbers in English and German.
    subscript(count: Int) -> String {
        if count == 0, let zero { return zero }
        return count.magnitude == 1 ? one : other
    }
}
