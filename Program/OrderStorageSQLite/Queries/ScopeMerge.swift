import GRDB
import OrderLifecycle
import OrderStorage

/// A page of several scopes, each with an index in the order of the page. SQLite merges them while it reads them.
struct ScopeMerge {
    private let query: BoardQuery
    private let scopes: [BoardQuery.Scope]

    /// - Parameter scopes: The scopes that together are the one of the query.
    init(_ query: BoardQuery, _ scopes: [BoardQuery.Scope]) {
        (self.query, self.scopes) = (query, scopes)
    }

    /// Returns the orders of a page, and the cursor of the next one. The text of the query is not searched.
    func orders(
        where isIncluded: (Int) -> Bool = { _ in true }, in database: Database
    ) throws -> (orders: [OrderRecord], next: PageCursor?) {
        let parts = scopes.map { scope in
            var part = query
            (part.scope, part.text) = (scope, nil)
            var statement = BoardStatement(part)
            statement.addCursor()
            return statement
        }
        let sql = parts.map { $0.sql(columns) }.joined(separator: " UNION ALL ") + " ORDER BY \(order)"
        let arguments = parts.reduce(into: StatementArguments()) { $0 += $1.arguments }
        let ids = try Int.fetchCursor(database.makeStatement(sql: sql), arguments: arguments)
        var found: [Int] = []
        while found.count <= query.limit, let id = try ids.next() {
            if isIncluded(id) { found.append(id) }
        }
        let orders = try found.prefix(query.limit).compactMap { try OrderRecord.fetchOne(database, id: $0) }
        return (orders, found.count > query.limit ? orders.last.map(query.cursor) : nil)
    }

    private var columns: String {
        switch query.sort {
        case .id, .newest, .distance: "id"
        case .price: "id, currency, amount"
        case .due: "id, COALESCE(due, \(BoardStatement.missingTime)) AS dueKey"
        }
    }

    private var order: String {
        switch query.sort {
        case .id, .distance: "id"
        case .newest: "id DESC"
        case .price: "currency, amount, id"
        case .due: "dueKey, id"
        }
    }
}

extension BoardQuery.Sort {
    /// Whether an index has the orders of a scope in this order.
    var isIndexed: Bool { if case .distance = self { false } else { true } }
}
