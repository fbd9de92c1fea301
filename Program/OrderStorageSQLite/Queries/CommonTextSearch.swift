import GRDB
import OrderLifecycle
import OrderStorage

/// The search for a text that many orders contain.
///
/// Sorting all of them would take longer than reading the entries of the scope in their order until a page is full. A scope of states has an index in
/// each order; the other scopes are short.
struct CommonTextSearch {
    private let query: BoardQuery
    private let matches: TextMatches

    /// Returns nil for a query without a common text, or in another order.
    ///
    /// - Parameter cache: The results of recent searches.
    init?(_ query: BoardQuery, _ text: TextCondition?, _ cache: TextMatches.Cache, in database: Database) throws {
        guard let text, query.box == nil else { return nil }
        let matches = try TextMatches.matches(of: text, cache, in: database)
        guard matches.isCommon else { return nil }
        (self.query, self.matches) = (query, matches)
    }

    /// The scopes that together are the one of the query, each with an index in the order of the page if it may have many orders.
    private var scopes: [BoardQuery.Scope] {
        switch query.scope {
        case .states(let states): states.sorted { $0.rawValue < $1.rawValue }.map { .states([$0]) }
        case .visible(let person): [.open, .held(by: person)]
        case .open, .held, .attention: [query.scope]
        }
    }

    /// Returns the orders of a page, and the cursor of the next one.
    func orders(in database: Database) throws -> (orders: [OrderRecord], next: PageCursor?) {
        try ScopeMerge(query, scopes).orders(where: matches.contains, in: database)
    }
}
