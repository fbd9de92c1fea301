/// The page in place of the answer to a form that could not be delivered. It carries what was entered, so that it can be sent again.
extension PageRenderer {
    /// The names of the fields that a reader enters, with their labels.
    private static func labels(_ texts: LocalizedStrings) -> [(name: String, label: String)] {
        [
            ("title", texts.orderTitle), ("address", texts.address), ("price", texts.price), ("currency", texts.currency),
            ("reason", texts.attemptReason), ("signature", texts.recipientName), ("pin", texts.recipientPIN), ("note", texts.deliveryNote),
        ]
    }

    /// Returns the page.
    ///
    /// - Parameters:
    ///   - fields: The fields of the form, the hidden ones included.
    ///   - hasPhoto: Whether the form has a photo, which the reader chooses again.
    func unsentPage(_ fields: [(name: String, value: String)], action: String, hasPhoto: Bool = false, in language: Language) -> String {
        let texts = LocalizedStrings(language)
        let entries = Self.labels(texts).compactMap { name, label in
            fields.first { $0.name == name && !$0.value.isEmpty }.map {
                TemplateContext.UnsentEntry(label: label, value: $0.value)
            }
        }
        let context = TemplateContext.UnsentForm(
            action: action, hasPhoto: hasPhoto, fields: fields.map { .init(name: $0.name, value: $0.value) }, entries: entries, texts: texts
        )
        return page(.unsent, context, title: texts.notSentTitle, in: language, isPlain: true)
    }
}

extension TemplateContext {
    struct UnsentForm: TemplateFields {
        let action: String
        let hasPhoto: Bool
        let fields: [Field]
        let entries: [UnsentEntry]
        let texts: LocalizedStrings
    }

    struct UnsentEntry: TemplateFields {
        let label: String
        let value: String
    }
}
