/// What the templates of the orders are rendered with.
extension TemplateContext {
    struct OrderRow: TemplateFields {
        let id: String
        /// The id as a part of an element's, in which no space may stand.
        let elementID: String
        var index = 0
        var position = 1
        var count = -1
        var version = 0
        /// What stands above the first row of a currency.
        var currencyHeading: String?
        let state: String
        var odd = false
        let skeleton: Bool
        let spinning: Bool
        /// What an attempt failed with that another one follows.
        var retrying: RetryNotice?
        let failed: Failure?
        let loaded: LoadedOrderRow?
        /// What kept a loaded row from being loaded anew.
        var stale: Failure?
        let texts: LocalizedStrings
    }

    struct LoadedOrderRow: TemplateFields {
        let href: String
        let title: String
        let street: String
        /// The parts of the address behind the street.
        let trailingAddressParts: [String]
        /// Whether the order has an address; otherwise `street` says that it has none.
        let hasAddress: Bool
        let price: String
        let currency: String
        let itemCount: String
        let deliveryTime: Time
        /// Where the order goes, from which a page works out how far that is.
        let point: String?
        let distance: String
    }

    struct OrderPage: TemplateFields {
        let backURL = "/orders"
        let window: String
        let version: Int
        let state: String
        let id: String
        let heading: String
        let skeleton: Bool
        let spinning: Bool
        var retrying: RetryNotice?
        let failed: Failure?
        let loaded: LoadedOrder?
        /// What kept a loaded order from being loaded anew.
        var stale: Failure?
        /// How long ago it was stored; nil when it was loaded since the program began.
        var stored: String?
        let texts: LocalizedStrings
    }

    struct LoadedOrder: TemplateFields {
        let title: String
        let price: String
        let currency: String
        let deliveryTime: Time
        let address: String
        let radiusSentence: String
        let itemCount: String
        /// The text for an order whose items are missing although the server counts some; nil otherwise.
        let noItems: String?
        let navigationURL: String?
        let webMapURL: String?
        let info: String?
        let map: Map?
        let noMap: NoMap?
        let items: [Item]
    }

    struct Item: TemplateFields {
        let name: String
        let quantity: String
        let unit: String
        let imageURL: String?
        let unknown: Bool
    }
}

extension TemplateContext.LoadedOrderRow {
    /// nil for an order without an address.
    var postalAddress: PostalAddress? { hasAddress ? PostalAddress(street, trailingAddressParts) : nil }
}

extension TemplateContext.OrderRow {
    /// The rows of a list by price, the first of each currency with its name above it. A page does the same with rows that come later.
    static func withHeadings(_ rows: [Self]) -> [Self] {
        var currency: String?
        return rows.map { row in
            var row = row
            row.currencyHeading = row.loaded.flatMap { $0.currency.isEmpty || $0.currency == currency ? nil : $0.currency }
            currency = row.loaded?.currency
            return row
        }
    }
}
