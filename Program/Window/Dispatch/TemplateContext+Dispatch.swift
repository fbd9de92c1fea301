import Mustache

/// The contexts of the templates of dispatchers.
extension TemplateContext {
    struct DispatchPage: TemplateFields {
        let sessionID: String
        let version: Int
        let person: String
        let table: DispatchTable
        let texts: LocalizedStrings
    }

    /// The table with the forms and links around it.
    struct DispatchTable: TemplateFields {
        /// The parameters of the page's address.
        let parameters: String
        let show: String
        let search: String
        let scopes: [DispatchScope]
        let sorts: [DispatchSort]
        let rows: [DispatchRow]
        /// The message of an empty table; nil with orders.
        let empty: String?
        let problem: String?
        /// The address of the first page; nil on it.
        let firstURL: String?
        /// The address of the next page; nil on the last one.
        let nextURL: String?
        let webhook: DispatchWebhook?
        let map: OverviewMap?
        let couriers: [DispatchCourier]
        let hasNoCouriers: Bool
        let texts: LocalizedStrings
    }

    struct DispatchScope: TemplateFields {
        let value: String
        let href: String
        let text: String
        let count: String
        let isCurrent: Bool
    }

    struct DispatchSort: TemplateFields {
        let value: String
        let text: String
        let isOn: Bool
    }

    /// A row, of which a page has many: its fields are found without reflection.
    struct DispatchRow: MustacheParent {
        let id: String
        let href: String
        let title: String
        let address: String
        let state: String
        let stateText: String
        let due: Time
        let price: String
        let courier: String
        /// The reasons to look at the order.
        let attention: [String]

        func child(named name: String) -> Any? {
            switch name {
            case "id": ContextText(renderText: id)
            case "href": ContextText(renderText: href)
            case "title": ContextText(renderText: title)
            case "address": ContextText(renderText: address)
            case "state": ContextText(renderText: state)
            case "stateText": ContextText(renderText: stateText)
            case "due": due
            case "price": ContextText(renderText: price)
            case "courier": ContextText(renderText: courier)
            case "attention": attention.map(ContextText.init)
            default: nil
            }
        }
    }

    struct DispatchCourier: TemplateFields {
        let id: String
        let name: String
        let load: String
        /// The time of the last position; nil without one.
        let lastSeen: Time?
        let mapURL: String?
        let texts: LocalizedStrings
    }

    /// The state of the webhook.
    struct DispatchWebhook: TemplateFields {
        /// The states that need attention.
        let problems: [String]
        /// Nil while events wait.
        let upToDate: String?
        let lastSuccess: Time?
        let waitingSince: Time?
        let failingSince: Time?
        let lastError: String?
        let hasAbandonedOrders: Bool
        /// The pages of the orders whose changes are not sent any more.
        let abandonedOrders: [DispatchLink]
        /// The number of such orders that are not linked; nil for none.
        let moreAbandonedOrders: String?
        let texts: LocalizedStrings
    }

    struct DispatchLink: TemplateFields {
        let href: String
        let text: String
    }

    /// The reason for which a page is not current, or a command was not carried out.
    struct DispatchProblem: TemplateFields {
        let text: String
        /// The change of the order to which the rejection is due; nil if it is not due to one.
        let lastChange: DispatchEvent?
    }

    struct DispatchOrderPage: TemplateFields {
        let backURL: String
        let sessionID: String
        let version: Int
        let person: String
        let order: DispatchOrder
        let texts: LocalizedStrings
    }

    struct DispatchOrder: TemplateFields {
        let id: String
        let title: String
        let state: String
        let stateText: String
        let problem: DispatchProblem?
        let attention: [String]
        let content: LoadedOrder
        /// The delivery window beside the due time; nil without one.
        let deliveryWindow: String?
        let holder: String?
        let externalID: String?
        let pin: String?
        let action: String
        /// The token against forged forms.
        let formToken: String
        /// The idempotency key.
        let key: String
        let canEdit: Bool
        let canReassign: Bool
        let canCancel: Bool
        let canCorrect: Bool
        let couriers: [Choice]
        let states: [Choice]
        let hasReports: Bool
        let reports: [DispatchReport]
        /// The number of earlier reports that are not listed; nil for none.
        let omittedReports: String?
        let events: [DispatchEvent]
        /// The number of earlier events that are not listed; nil for none.
        let omittedEvents: String?
        let texts: LocalizedStrings
    }

    struct Choice: TemplateFields {
        let value: String
        let text: String
    }

    /// A line of an order's history.
    struct DispatchEvent: TemplateFields {
        let text: String
        let time: Time
        let actor: String
        let details: [String]
        let proofs: [DispatchProof]
    }

    struct DispatchProof: TemplateFields {
        let href: String
        let kind: String
        let isPicture: Bool
        let isText: Bool
        let isDeleted: Bool
        let texts: LocalizedStrings
    }

    struct DispatchReport: TemplateFields {
        let number: Int
        let event: DispatchEvent
        let cause: String
        let isOpen: Bool
        let action: String
        let formToken: String
        let key: String
        let texts: LocalizedStrings
    }

    struct DispatchFormPage: TemplateFields {
        let title: String
        let backURL: String
        let action: String
        let formToken: String
        let key: String
        /// The version that the entries are based on; nil for a new order.
        let version: String?
        let problem: String?
        let fields: [DispatchField]
        let map: Map?
        let texts: LocalizedStrings
    }

    struct DispatchField: TemplateFields {
        let name: String
        let label: String
        let value: String
        let type: String
        let isHidden: Bool
        let isArea: Bool
        let isRequired: Bool
        let maximumLength: Int
        /// The stored value where it differs from the entry after a change by somebody else; nil otherwise.
        let stored: String?
    }

    struct DispatchImport: TemplateFields {
        let formToken: String
        /// The zone of times without one.
        let timeZone: String
        /// The currency of prices without one.
        let currency: String
        let result: DispatchImportResult?
        let texts: LocalizedStrings
    }

    struct DispatchImportResult: TemplateFields {
        let isFailed: Bool
        let message: String
        let hasFaults: Bool
        let faults: [ImportFault]
        /// The number of faulty rows that are not listed; nil for none.
        let moreFaults: String?
        let hasAddresses: Bool
        /// The addresses without coordinates.
        let addresses: [ImportFault]
        /// The number of addresses that are not listed; nil for none.
        let moreAddresses: String?
        let notices: [String]
        let texts: LocalizedStrings
    }

    /// A row of a file with what is wrong with it.
    struct ImportFault: TemplateFields {
        let row: Int
        let column: String
        let value: String
        let detail: String
    }

    /// A map of places.
    struct OverviewMap: TemplateFields {
        let tiles: [MapTile]
        let pins: [OverviewPin]
        let label: String
        let attribution: String
        let hasKnownColors: Bool
    }

    struct OverviewPin: TemplateFields {
        let x: Int
        let y: Int
        let name: String
        /// The name, if it has room on the map.
        let shownName: String?
    }
}
