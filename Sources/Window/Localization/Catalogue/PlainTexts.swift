import Mustache

/// The catalogue in one language: templates find a text by its name, code by its key path in its subject.
@dynamicMemberLookup
struct PlainTexts: Sendable, MustacheParent {
    private static let catalogue = Catalogue()
    /// Names are unique across subjects; a test sees to it.
    private static let byLanguage = Dictionary(
        uniqueKeysWithValues: Language.allCases.map { language in
            (language, Dictionary(catalogue.phrases.map { ($0.name, $0.phrase[language]) }, uniquingKeysWith: { first, _ in first }))
        })

    private let language: Language
    private let byName: [String: String]

    init(_ language: Language) {
        self.language = language
        byName = Self.byLanguage[language] ?? [:]
    }

    func child(named name: String) -> Any? { byName[name] }

    /// A phrase of a subject; each subject offers its phrases through a subscript of its own.
    subscript(phrase: KeyPath<Catalogue, Phrase>) -> String { Self.catalogue[keyPath: phrase][language] }
}

// MARK: - Phrases without the name of their subject

extension PlainTexts {
    subscript(dynamicMember text: KeyPath<StartTexts, Phrase>) -> String { self[(\Catalogue.start).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<ListTexts, Phrase>) -> String { self[(\Catalogue.list).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<ArrangeTexts, Phrase>) -> String { self[(\Catalogue.arrange).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<OrderTexts, Phrase>) -> String { self[(\Catalogue.order).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<DeliveryTexts, Phrase>) -> String { self[(\Catalogue.delivery).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<PhotoTexts, Phrase>) -> String { self[(\Catalogue.photo).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<ProblemTexts, Phrase>) -> String { self[(\Catalogue.problems).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<OfflineTexts, Phrase>) -> String { self[(\Catalogue.offlinePage).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<OperationTexts, Phrase>) -> String { self[(\Catalogue.operations).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<OutcomeTexts, Phrase>) -> String { self[(\Catalogue.outcomes).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<LawTexts, Phrase>) -> String { self[(\Catalogue.laws).appending(path: text)] }
}
