import Hummingbird

extension Request {
    /// The language that the client wants to read: the one chosen by hand, or else the one its browser asks for.
    var language: Language { chosenLanguage ?? Language(preferredBy: headers[.acceptLanguage]) }

    /// The language that was chosen by hand; nil where none was, or one that is not spoken here.
    var chosenLanguage: Language? { cookies[LanguageRoutes.cookieName].flatMap { Language(rawValue: $0.value) } }
}
