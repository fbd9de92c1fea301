import OrderLifecycle

/// The page in place of the answer to a form that could not be delivered. It carries what was entered, so that it can be sent again.
extension PageRenderer {
    /// Returns the label of a field that a reader enters; nil for the hidden ones.
    private static func label(_ field: String, _ texts: LocalizedStrings) -> String? {
        switch field {
        case "title": texts.orderTitle
        case "address": texts.address
        case "price": texts.price
        case "currency": texts.currency
        case "due": texts.dueTime
        case "latitude": texts.latitude
        case "longitude": texts.longitude
        case "items": texts.itemLines
        case "externalID": texts.externalID
        case "reason": texts.attemptReason
        case "signature": texts.recipientName
        case "pin": texts.recipientPIN
        case "note": texts.deliveryNote
        default: nil
        }
    }

    /// Returns the page.
    ///
    /// - Parameters:
    ///   - fields: The fields of the form, the hidden ones included.
    ///   - hasPhoto: Whether the form has a photo, which the reader chooses again.
    ///   - reason: The reason; nil if the server could not be reached.
    ///   - needsSignIn: Whether the reader must sign in first.
    func unsentPage(
        _ fields: [(name: String, value: String)], action: String, hasPhoto: Bool = false, because reason: String? = nil,
        needsSignIn: Bool = false, in language: Language
    ) -> String {
        let texts = LocalizedStrings(language)
        let entries = fields.compactMap { field -> TemplateContext.UnsentEntry? in
            guard !field.value.isEmpty, let label = Self.label(field.name, texts) else { return nil }
            let reason = field.name == "reason" ? AttemptReason(rawValue: field.value).map(Texts(language).reason) : nil
            return TemplateContext.UnsentEntry(label: label, value: reason ?? field.value)
        }
        let context = TemplateContext.UnsentForm(
            problem: reason.map { texts.notSentBecause.replacing("{reason}", with: $0) } ?? texts.notSent, action: action,
            hasPhoto: hasPhoto,
            needsSignIn: needsSignIn, fields: fields.map { .init(name: $0.name, value: $0.value) }, entries: entries, texts: texts)
        return page(.unsent, context, title: texts.notSentTitle, in: language, isPlain: true)
    }
}

extension TemplateContext {
    struct UnsentForm: TemplateFields {
        let problem: String
        let action: String
        let hasPhoto: Bool
        let needsSignIn: Bool
        let fields: [Field]
        let entries: [UnsentEntry]
        let texts: LocalizedStrings
    }

    struct UnsentEntry: TemplateFields {
        let label: String
        let value: String
    }
}
