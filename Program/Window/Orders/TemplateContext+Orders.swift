/// The contexts of the order templates.
extension TemplateContext {
    struct OrderRow: TemplateFields {
        let id: String
        /// The id as part of an element's id, without spaces.
        let elementID: String
        var index = 0
        var position = 1
        var count = -1
        var version = 0
        /// The heading above the first row of a currency.
        var currencyHeading: String?
        let state: String
        var odd = false
        let skeleton: Bool
        let spinning: Bool
        /// The error of an attempt that will be retried.
        var retrying: RetryNotice?
        let failed: Failure?
        let loaded: LoadedOrderRow?
        /// The error of the last reload of a loaded row.
        var stale: Failure?
        let texts: LocalizedStrings
    }

    struct LoadedOrderRow: TemplateFields {
        let href: String
        let title: String
        let street: String
        /// The parts of the address after the street.
        let trailingAddressParts: [String]
        /// Whether the order has an address; otherwise `street` is a text for its absence.
        let hasAddress: Bool
        let price: String
        let currency: String
        let itemCount: String
        let deliveryTime: Time
        /// The destination, from which the page's script computes the distance.
        let point: String?
        let distance: String
    }

    struct OrderPage: TemplateFields {
        let backURL = "/orders"
        let sessionID: String
        let version: Int
        let state: String
        let id: String
        let heading: String
        let skeleton: Bool
        let spinning: Bool
        var retrying: RetryNotice?
        let failed: Failure?
        let loaded: LoadedOrder?
        /// The error of the last reload of a loaded order.
        var stale: Failure?
        /// The age of a stored order; nil when it was loaded since the program started.
        var stored: String?
        let texts: LocalizedStrings
    }

    struct LoadedOrder: TemplateFields {
        let title: String
        let price: String
        let currency: String
        let deliveryTime: Time
        let address: String
        let radiusText: String
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
    /// The address; nil for an order without one.
    var postalAddress: PostalAddress? { hasAddress ? PostalAddress(street, trailingAddressParts) : nil }
}

extension TemplateContext.OrderRow {
    /// Returns the rows of a list by price, the first of each currency with a heading. The page's script does the same for rows added later.
    static func withCurrencyHeading(_ rows: [Self]) -> [Self] {
        var currency: String?
        return rows.map { row in
            var row = row
            row.currencyHeading = row.loaded.flatMap { $0.currency.isEmpty || $0.currency == currency ? nil : $0.currency }
            currency = row.loaded?.currency
            return row
        }
    }
}
