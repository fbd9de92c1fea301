import GRDB
import OrderLifecycle
import OrderStorage

/// The search for a text that many orders contain.
///
/// Sorting all of them would take longer than reading the orders of the scope in their order until a page is full: one of `shareLimit` orders or more
/// contains the text. A scope of states has an index in each order; the other scopes are short.
struct CommonTextSearch {
    /// A text is common if at least one of this number of orders contains it.
    private static let shareLimit = 32
    /// The number of matches below which sorting them is fast, however many orders there are.
    private static let sortedLimit = 2_000

    private let query: BoardQuery
    private let matches: Bitmap

    /// Returns nil for a query without a common text, or in another order.
    init?(_ query: BoardQuery, pattern: String?, in database: Database) throws {
        guard let pattern, query.box == nil else { return nil }
        guard let last = try Int.fetchOne(database.cachedStatement(sql: "SELECT MAX(id) FROM orders")) else { return nil }
        let ids = try Int.fetchCursor(
            database.cachedStatement(sql: "SELECT rowid FROM orderTexts WHERE orderTexts MATCH ?"), arguments: [pattern])
        var (matches, count) = (Bitmap(count: last + 1), 0)
        while let id = try ids.next() {
            matches.insert(id)
            count += 1
        }
        guard count > Self.sortedLimit, count > last / Self.shareLimit else { return nil }
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

/// A set of small numbers.
private struct Bitmap {
    private var words: [UInt64]

    init(count: Int) { words = [UInt64](repeating: 0, count: count / 64 + 1) }

    mutating func insert(_ number: Int) {
        guard number >= 0, number / 64 < words.count else { return }
        words[number / 64] |= 1 << UInt64(number % 64)
    }

    func contains(_ number: Int) -> Bool { number >= 0 && number / 64 < words.count && words[number / 64] >> UInt64(number % 64) & 1 == 1 }
}
