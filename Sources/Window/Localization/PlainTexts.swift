import Mustache

/// The catalogue in one language: templates find a text by its name, code by its key path.
@dynamicMemberLookup
struct PlainTexts: Sendable, MustacheParent {
    private static let catalogue = Catalogue()
    private static let byLanguage = Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, byName(in: $0)) })

    private let language: Language
    private let byName: [String: String]

    init(_ language: Language) {
        self.language = language
        byName = Self.byLanguage[language] ?? [:]
    }

    subscript(dynamicMember phrase: KeyPath<Catalogue, Phrase>) -> String { Self.catalogue[keyPath: phrase][language] }

    func child(named name: String) -> Any? { byName[name] }

    /// Read once by reflection, because a key path does not tell its name.
    private static func byName(in language: Language) -> [String: String] {
        let phrases = Mirror(reflecting: catalogue).children.compactMap { child in
            child.label.flatMap { name in (child.value as? Phrase).map { (name, $0[language]) } }
        }
        return Dictionary(uniqueKeysWithValues: phrases)
    }
}
