/// The contexts of the templates of a courier's orders.
extension TemplateContext {
    /// The hidden fields of a form with a step.
    struct StepForm: TemplateFields {
        /// The path of the order, to which the step is added.
        let action: String
        let fence: Int
        /// The token against forged forms.
        let formToken: String
        /// The idempotency key.
        let key: String
    }

    struct CourierRow: TemplateFields {
        let id: String
        let index: Int
        let position: Int
        let odd: Bool
        let order: LoadedOrderRow
        let form: StepForm
        let canTake: Bool
        /// The state of an order that is not open any more; nil for an open one.
        let stateText: String?
        /// The state of the order, or `left`.
        let state: String
        let texts: LocalizedStrings
    }

    struct CourierOrderPage: TemplateFields {
        let backURL = "/orders"
        let sessionID: String
        let version: Int
        let person: String
        /// The texts of all steps, as JSON, for the script.
        let stepTexts: String
        let order: CourierOrder
        let texts: LocalizedStrings
        /// The time of a page that the worker stores without showing it, in milliseconds since 1970; nil for others.
        var storedAt: Int?
    }

    struct CourierOrder: TemplateFields {
        let id: String
        let title: String
        /// Whether only the person's own steps are known.
        let isGone: Bool
        /// The state of the order, or `left` if it is somebody else's.
        let state: String
        let stateText: String
        /// The texts of all states, as JSON, for the script.
        let stateTexts: String
        let attempts: Int
        let content: LoadedOrder
        /// The delivery window beside the due time; nil without one.
        let deliveryWindow: String?
        let items: [CourierItem]
        let form: StepForm
        let hasPIN: Bool
        let steps: [Step]
        /// Whether the person is a courier.
        let canAct: Bool
        let reasons: [AttemptReason]
        let entry: StepEntry
        let problem: String?
        let texts: LocalizedStrings
    }

    struct CourierItem: TemplateFields {
        let id: String
        let item: Item
    }

    struct AttemptReason: TemplateFields {
        let value: String
        let text: String
        let isSelected: Bool
    }

    /// A step that was sent.
    struct Step: TemplateFields {
        let text: String
        let time: Time
        /// Whether it was sent, and accepted.
        let outcome: String
    }

    /// The entries of a form that was not accepted.
    struct StepEntry: TemplateFields {
        var reason: String?
        var name = ""
        var note = ""
        var problem: String?
    }
}
