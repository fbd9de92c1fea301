import Foundation

/// A language of the window, by its BCP 47 tag.
enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    /// Chinese as written in Taiwan.
    case traditionalChinese = "zh-Hant"
    case arabic = "ar"

    /// The language for users who request none of these.
    static let fallback = Language.english

    var tag: String { rawValue }

    /// The value of HTML's `dir` attribute.
    var direction: String { isRightToLeft ? "rtl" : "ltr" }

    var isRightToLeft: Bool {
        switch self {
        case .english, .german, .traditionalChinese: false
        case .arabic: true
        }
    }

    /// The name of the language in the language itself.
    var nativeName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        case .traditionalChinese: "繁體中文"
        case .arabic: "العربية"
        }
    }

    /// The locale of numbers, measures and times, with hours from 0 to 23. Arabic uses the digits that CLDR assigns to the language without
    /// a country, fixed here because versions of CLDR differ.
    var locale: Locale {
        switch self {
        case .english: Locale(identifier: "en_US")
        case .german: Locale(identifier: "de_DE")
        case .traditionalChinese: Locale(identifier: "zh_Hant_TW@hours=h23")
        case .arabic: Locale(identifier: "ar@numbers=latn;hours=h23")
        }
    }
}
