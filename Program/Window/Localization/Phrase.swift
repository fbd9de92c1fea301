/// A text in every language of the window; the compiler enforces that none is missing.
struct Phrase: Sendable {
    private let en: String
    private let de: String
    private let zh: String
    private let ar: String

    init(en: String, de: String, zh: String, ar: String) {
        self.en = en
        self.de = de
        self.zh = zh
        self.ar = ar
    }

    subscript(language: Language) -> String {
        switch language {
        case .english: en
        case .german: de
        case .traditionalChinese: zh
        case .arabic: ar
        }
    }
}
