import Foundation

/// A language that the window speaks, by its BCP 47 tag.
enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// What is spoken to those who ask for none of these.
    static let fallback = Language.english

    var tag: String { rawValue }

    /// As HTML's `dir` names it.
    var direction: String {
        switch self {
        case .english, .german: "ltr"
        }
    }

    /// How numbers and measures are written.
    var locale: Locale {
        switch self {
        case .english: Locale(identifier: "en_US")
        case .german: Locale(identifier: "de_DE")
        }
    }
}
