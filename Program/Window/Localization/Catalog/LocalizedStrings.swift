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

    func child(named name: String) -> Any? { byName[name].map(ContextText.init) }

    /// Returns a phrase of a subject; each subject has a dynamic member subscript of its own, because key paths are slow to combine.
    private func string<Subject>(_ phrase: KeyPath<Subject, Phrase>, in subject: Subject) -> String { subject[keyPath: phrase][language] }
}

// MARK: - Phrases by dynamic member

extension LocalizedStrings {
    subscript(dynamicMember text: KeyPath<StartTexts, Phrase>) -> String { string(text, in: Self.catalog.start) }
    subscript(dynamicMember text: KeyPath<AccountTexts, Phrase>) -> String { string(text, in: Self.catalog.account) }
    subscript(dynamicMember text: KeyPath<ListTexts, Phrase>) -> String { string(text, in: Self.catalog.list) }
    subscript(dynamicMember text: KeyPath<SearchTexts, Phrase>) -> String { string(text, in: Self.catalog.search) }
    subscript(dynamicMember text: KeyPath<OrderTexts, Phrase>) -> String { string(text, in: Self.catalog.order) }
    subscript(dynamicMember text: KeyPath<CourierTexts, Phrase>) -> String { string(text, in: Self.catalog.couriers) }
    subscript(dynamicMember text: KeyPath<DispatchTexts, Phrase>) -> String { string(text, in: Self.catalog.dispatch) }
    subscript(dynamicMember text: KeyPath<RejectionTexts, Phrase>) -> String { string(text, in: Self.catalog.rejections) }
    subscript(dynamicMember text: KeyPath<RuleTexts, Phrase>) -> String { string(text, in: Self.catalog.rules) }
    subscript(dynamicMember text: KeyPath<FileRuleTexts, Phrase>) -> String { string(text, in: Self.catalog.fileRules) }
    subscript(dynamicMember text: KeyPath<WebhookTexts, Phrase>) -> String { string(text, in: Self.catalog.webhook) }
    subscript(dynamicMember text: KeyPath<DeliveryTexts, Phrase>) -> String { string(text, in: Self.catalog.delivery) }
    subscript(dynamicMember text: KeyPath<PhotoTexts, Phrase>) -> String { string(text, in: Self.catalog.photo) }
    subscript(dynamicMember text: KeyPath<ProblemTexts, Phrase>) -> String { string(text, in: Self.catalog.problems) }
    subscript(dynamicMember text: KeyPath<OfflineTexts, Phrase>) -> String { string(text, in: Self.catalog.offlinePage) }
    subscript(dynamicMember text: KeyPath<OperationTexts, Phrase>) -> String { string(text, in: Self.catalog.operations) }
    subscript(dynamicMember text: KeyPath<OutcomeTexts, Phrase>) -> String { string(text, in: Self.catalog.outcomes) }
    subscript(dynamicMember text: KeyPath<SchedulingReasonTexts, Phrase>) -> String { string(text, in: Self.catalog.schedulingReasons) }
}
