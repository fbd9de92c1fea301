/// The contexts of the operations page.
extension TemplateContext {
    /// A technical term and its meaning.
    struct Term: TemplateFields {
        let name: String
        let text: String
    }

    /// The sentence that explains decisions with this outcome and reason.
    struct DecisionReason: TemplateFields {
        let state: String
        /// The number of the scheduling reason.
        let number: String
        let outcome: String
        let text: String
    }

    struct OperationRow: TemplateFields {
        let time: String
        let operation: String
        let outcome: String
        let state: String
        let lane: String
        let reason: String
    }

    struct Operations: TemplateFields {
        let backURL = "/"
        let reasons: [DecisionReason]
        let outcomes: [Term]
        /// The last decisions, newest first.
        let rows: [OperationRow]
        let empty: Bool
        let texts: LocalizedStrings
    }
}
