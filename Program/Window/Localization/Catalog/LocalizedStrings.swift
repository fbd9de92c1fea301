import Mustache

/// The string catalog in one language: templates access a text by its name, code by its key path in its subject.
@dynamicMemberLookup
struct LocalizedStrings: Sendable, MustacheParent {
    private static let catalog = StringCatalog()
    /// The names are unique across subjects, which a test checks.
    private static let byLanguage = Dictionary(
        uniqueKeysWithValues: Language.allCases.map { language in
            (language, Dictionary(catalog.phrases.map { ($0.name, $0.phrase[language]) }, uniquingKeysWith: { first, _ in first }))
        })

    private let language: Language
    private let byName: [String: String]

    init(_ language: Language) {
        self.language = language
        byName = Self.byLanguage[language] ?? [:]
    }

    func child(named name: String) -> Any? { byName[name] }

    /// Returns a phrase of a subject; each subject has a dynamic member subscript of its own.
    subscript(phrase: KeyPath<StringCatalog, Phrase>) -> String { Self.catalog[keyPath: phrase][language] }
}

// MARK: - Phrases by dynamic member

extension LocalizedStrings {
    subscript(dynamicMember text: KeyPath<StartTexts, Phrase>) -> String { self[(\StringCatalog.start).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<AccountTexts, Phrase>) -> String { self[(\StringCatalog.account).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<ListTexts, Phrase>) -> String { self[(\StringCatalog.list).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<SearchTexts, Phrase>) -> String { self[(\StringCatalog.search).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<OrderTexts, Phrase>) -> String { self[(\StringCatalog.order).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<CourierTexts, Phrase>) -> String { self[(\StringCatalog.couriers).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<DispatchTexts, Phrase>) -> String { self[(\StringCatalog.dispatch).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<RefusalTexts, Phrase>) -> String { self[(\StringCatalog.refusals).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<RuleTexts, Phrase>) -> String { self[(\StringCatalog.rules).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<FileRuleTexts, Phrase>) -> String { self[(\StringCatalog.fileRules).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<WebhookTexts, Phrase>) -> String { self[(\StringCatalog.webhook).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<DeliveryTexts, Phrase>) -> String { self[(\StringCatalog.delivery).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<PhotoTexts, Phrase>) -> String { self[(\StringCatalog.photo).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<ProblemTexts, Phrase>) -> String { self[(\StringCatalog.problems).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<OfflineTexts, Phrase>) -> String { self[(\StringCatalog.offlinePage).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<OperationTexts, Phrase>) -> String { self[(\StringCatalog.operations).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<OutcomeTexts, Phrase>) -> String { self[(\StringCatalog.outcomes).appending(path: text)] }
    subscript(dynamicMember text: KeyPath<SchedulingReasonTexts, Phrase>) -> String {
        self[(\StringCatalog.schedulingReasons).appending(path: text)]
    }
}
