package import OrderLifecycle

/// A request for a page of orders.
package struct BoardQuery: Hashable, Sendable {
    /// The orders among which is searched.
    package enum Scope: Hashable, Sendable {
        case open
        /// The orders that a courier has.
        case held(by: PersonID)
        /// The orders that a courier may see: open ones and the own.
        case visible(to: PersonID)
        case states(Set<OrderState>)
        /// The orders that need a dispatcher, for one of the reasons in `AttentionReason`.
        case attention(at: Timestamp)
    }

    /// The order of the results; equal values are ordered by id. Missing values come last.
    package enum Sort: Hashable, Sendable {
        case id
        /// By id, the last one first.
        case newest
        /// By currency, then amount.
        case price
        case due
        /// In metres from a place.
        case distance(from: Coordinate)
    }

    /// The maximum number of orders in a page.
    package static let limitOfPage = 100

    package var scope: Scope
    /// The area; nil for everywhere.
    package var box: CoordinateBox?
    /// Words, all of which the title, the address or the note contain at the start of a word, or anywhere if a word has an ideograph.
    package var text: String?
    package var sort: Sort
    package var limit: Int
    /// The end of the previous page; nil for the first page.
    package var after: PageCursor?

    package init(
        _ scope: Scope, box: CoordinateBox? = nil, text: String? = nil, sort: Sort = .id, limit: Int = BoardQuery.limitOfPage,
        after: PageCursor? = nil
    ) {
        self.scope = scope
        self.box = box
        self.text = text
        self.sort = sort
        self.limit = min(max(limit, 1), Self.limitOfPage)
        self.after = after
    }
}

/// A page of orders.
package struct OrderPage: Hashable, Sendable {
    package let orders: [OrderRecord]
    /// The end of the page; nil for the last page.
    package let next: PageCursor?
    /// The position of the change feed at which the page was read.
    package let position: ChangePosition

    package init(orders: [OrderRecord], next: PageCursor?, position: ChangePosition) {
        self.orders = orders
        self.next = next
        self.position = position
    }
}
