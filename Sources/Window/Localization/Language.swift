import Foundation

/// A language that the window speaks, by its BCP 47 tag.
enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    /// As it is written in Taiwan.
    case traditionalChinese = "zh-Hant"
    case arabic = "ar"

    /// What is spoken to those who ask for none of these.
    static let fallback = Language.english

    var tag: String { rawValue }

    /// As HTML's `dir` names it.
    var direction: String { isRightToLeft ? "rtl" : "ltr" }

    var isRightToLeft: Bool {
        switch self {
        case .english, .german, .traditionalChinese: false
        case .arabic: true
        }
    }

    /// What those who speak it call it.
    var nativeName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        case .traditionalChinese: "繁體中文"
        case .arabic: "العربية"
        }
    }

    /// How numbers, measures and times are written: hours from 0 to 23, as servers write them; in Arabic the digits that CLDR gives the language
    /// where no country is named, whatever version of CLDR is at hand.
    var locale: Locale {
        switch self {
        case .english: Locale(identifier: "en_US")
        case .german: Locale(identifier: "de_DE")
        case .traditionalChinese: Locale(identifier: "zh_Hant_TW@hours=h23")
        case .arabic: Locale(identifier: "ar@numbers=latn;hours=h23")
        }
    }
}
