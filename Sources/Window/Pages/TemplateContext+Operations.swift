/// What the page of the operations is rendered with.
extension TemplateContext {
    /// A word of the engine and what it means.
    struct Term: TemplateFields {
        let name: String
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
        let reasons: [Term]
        let outcomes: [Term]
        /// What was decided last, newest first.
        let rows: [OperationRow]
        let empty: Bool
        let texts: LocalizedStrings
    }
}
