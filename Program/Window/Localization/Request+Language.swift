import Hummingbird

extension Request {
    /// The language of the response: the selected one, otherwise the one that the browser prefers.
    var language: Language { selectedLanguage ?? Language(preferredBy: headers[.acceptLanguage]) }

    /// The language selected by the user; nil when none was selected or it is not supported.
    var selectedLanguage: Language? { cookies[LanguageRoutes.cookieName].flatMap { Language(rawValue: $0.value) } }
}
