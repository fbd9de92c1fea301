import GRDB
import OrderLifecycle
import OrderStorage

/// The statement for a page of orders.
struct BoardStatement {
    static let missingTime = Int64.max

    private let query: BoardQuery
    private var conditions: [String] = []
    private(set) var arguments = StatementArguments()

    init(_ query: BoardQuery) {
        self.query = query
        addScope()
        addBox()
    }

    /// The statement with the condition on the text.
    private var searchingText: BoardStatement {
        guard let text = textCondition else { return self }
        var statement = self
        statement.add(text.sql, text.arguments)
        return statement
    }

    /// Returns the orders of a page, and the cursor of the next one.
    ///
    /// - Parameter matches: The results of recent searches.
    static func orders(
        _ query: BoardQuery, _ matches: TextMatches.Cache, in database: Database
    ) throws -> (orders: [OrderRecord], next: PageCursor?) {
        guard let scopes = separateScopes(of: query) else { return try BoardStatement(query).orders(matches, in: database) }
        if query.text == nil, query.sort.isIndexed { return try ScopeMerge(query, scopes).orders(in: database) }
        let parts = try scopes.map { scope in
            var part = query
            part.scope = scope
            return try BoardStatement(part).orders(matches, in: database)
        }
        let orders = parts.flatMap(\.orders).map { (cursor: query.cursor(after: $0), order: $0) }.sorted { $0.cursor < $1.cursor }
        let page = orders.prefix(query.limit)
        let hasNext = orders.count > query.limit || parts.contains { $0.next != nil }
        return (page.map(\.order), hasNext ? page.last?.cursor : nil)
    }

    /// Returns scopes that together are the one of the query; nil for a query whose orders one statement reads.
    ///
    /// Each of several has an index in the order of the page, which a condition on all would not use. A text is searched once.
    private static func separateScopes(of query: BoardQuery) -> [BoardQuery.Scope]? {
        switch query.scope {
        case .visible(let person): [.open, .held(by: person)]
        case .states(let states) where states.count > 1 && query.text == nil && query.sort != .id && query.sort != .newest:
            states.map { .states([$0]) }
        // The ids of these orders are sorted, which takes less time than sorting whole orders.
        case .attention: [query.scope]
        default: nil
        }
    }

    private func orders(
        _ matches: TextMatches.Cache, in database: Database
    ) throws -> (orders: [OrderRecord], next: PageCursor?) {
        if let nearest = NearestOrders(query) { return try searchingText.orders(nearest, in: database) }
        if let common = try CommonTextSearch(query, textCondition, matches, in: database) { return try common.orders(in: database) }
        var statement = searchingText
        statement.addCursor()
        let sql = statement.sql("*") + " ORDER BY \(order) LIMIT ?"
        let found = try OrderRecord.fetchAll(
            database.makeStatement(sql: sql), arguments: statement.arguments + [query.limit + 1])
        let orders = Array(found.prefix(query.limit))
        return (orders, found.count > query.limit ? orders.last.map(query.cursor) : nil)
    }

    /// Counts the orders that each courier has.
    static let heldCountSQL = """
        SELECT holder, COUNT(*) AS count FROM orders INDEXED BY heldOrdersByHolder WHERE state IN (\(heldStates)) GROUP BY holder
        """

    static func attentionCount(at now: Timestamp, in database: Database) throws -> Int {
        let statement = try database.cachedStatement(sql: "SELECT COUNT(DISTINCT id) FROM (\(attentionIDs))")
        return try Int.fetchOne(statement, arguments: attentionArguments(at: now)) ?? 0
    }

    func sql(_ columns: String) -> String {
        "SELECT \(columns) FROM orders" + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }

    private mutating func add(_ condition: String, _ values: StatementArguments = []) {
        conditions.append(condition)
        arguments += values
    }
}

// MARK: - Conditions

extension BoardStatement {
    private static let heldStates = OrderState.allCases.filter(\.hasHolder).map { "'\($0.rawValue)'" }.joined(separator: ", ")

    private mutating func addScope() {
        switch query.scope {
        case .open: add("state = 'open'")
        case .held(let person): add("holder = ? AND state IN (\(Self.heldStates))", [person.rawValue])
        case .visible(let person):
            add("(state = 'open' OR holder = ? AND state IN (\(Self.heldStates)))", [person.rawValue])
        case .states(let states):
            // In the order of ids all states together have the index of the ids.
            guard states.count < OrderState.allCases.count else { return }
            add("state IN (\(states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")))")
        case .attention(let now): add("id IN (\(Self.attentionIDs))", Self.attentionArguments(at: now))
        }
    }

    /// The ids of the orders with an `OrderRecord.attention`, once for each reason, by a search of its index.
    private static let attentionIDs = """
        SELECT id FROM orders INDEXED BY ordersWithReports WHERE openReports > 0
        UNION ALL SELECT id FROM orders INDEXED BY heldOrdersByDeadline WHERE deadline <= ? AND state IN (\(heldStates))
        UNION ALL SELECT id FROM orders INDEXED BY ordersByState WHERE state = 'returning'
        UNION ALL SELECT id FROM orders INDEXED BY ordersWithAttempts WHERE state IN ('pickedUp', 'arrived') AND attempts > 0
        UNION ALL SELECT id FROM orders INDEXED BY ordersByLeaseEnd WHERE state = 'claimed' AND leaseEnd <= ?
        UNION ALL SELECT id FROM orders INDEXED BY ordersByStateAndDue WHERE state = 'open' AND COALESCE(due, \(missingTime)) <= ?
        """

    /// The arguments of `attentionIDs`: the present time, and the times before which leases end and open orders are due.
    private static func attentionArguments(at now: Timestamp) -> StatementArguments {
        [now.milliseconds, now.milliseconds + AttentionReason.leaseNotice, now.milliseconds + AttentionReason.dueNotice]
    }

    private mutating func addBox() {
        guard let box = query.box else { return }
        let parts = box.normalized
        let condition = "latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?"
        add("(" + parts.map { _ in "(\(condition))" }.joined(separator: " OR ") + ")")
        for part in parts { arguments += [part.south, part.north, part.west, part.east] }
        if query.scope == .open { addPlaces(in: parts) }
    }

    /// Restricts open orders to boxes by the index of places, whose numbers have 32 bits and contain the exact ones.
    private mutating func addPlaces(in boxes: [CoordinateBox]) {
        let condition = "north >= ? AND south <= ? AND east >= ? AND west <= ?"
        let places = boxes.map { _ in "SELECT id FROM openPlaces WHERE \(condition)" }.joined(separator: " UNION ALL ")
        add("id IN (\(places))")
        for box in boxes { arguments += [box.south, box.north, box.west, box.east] }
    }

    private var textCondition: TextCondition? { query.text.flatMap { TextCondition($0) } }

    mutating func addCursor() {
        switch query.after {
        case .id(let id): add("id > ?", [id])
        case .newest(let id): add("id < ?", [id])
        case .price(let currency, let amount, let id): add("(currency, amount, id) > (?, ?, ?)", [currency, amount, id])
        case .due(let due, let id):
            add("(COALESCE(due, \(Self.missingTime)), id) > (?, ?)", [due ?? Self.missingTime, id])
        case .distance, nil: break
        }
    }

    var order: String {
        switch query.sort {
        case .id, .distance: "id"
        case .newest: "id DESC"
        case .price: "currency, amount, id"
        case .due: "COALESCE(due, \(Self.missingTime)), id"
        }
    }
}

// MARK: - Distance

extension BoardStatement {
    /// Returns the nearest orders after the cursor; those without a place follow by id.
    private func orders(_ nearest: NearestOrders, in database: Database) throws -> (orders: [OrderRecord], next: PageCursor?) {
        let located = try candidates(nearest, in: database)
        let missing = nearest.count - located.count
        let unlocated = missing > 0 ? try unlocatedIDs(after: nearest.lastUnlocatedID, count: missing, in: database) : []
        let page = nearest.page(located, unlocatedIDs: unlocated)
        return (try page.ids.compactMap { try OrderRecord.fetchOne(database, id: $0) }, page.next)
    }

    /// Searches in growing circles until enough orders lie completely inside of one.
    private func candidates(_ nearest: NearestOrders, in database: Database) throws -> [NearestOrders.Candidate] {
        var found: [NearestOrders.Candidate] = []
        for radius in nearest.radii {
            var statement = self
            if radius.isFinite { statement.addPlaces(in: nearest.place.boxes(within: radius)) }
            found = try statement.candidates(near: nearest.place, in: database)
                .filter { $0 > nearest.start && $0.metres <= radius }.sorted()
            if found.count >= nearest.count { break }
        }
        return Array(found.prefix(nearest.count))
    }

    private func candidates(near place: Coordinate, in database: Database) throws -> [NearestOrders.Candidate] {
        var statement = self
        statement.add("latitude IS NOT NULL")
        let rows = try Row.fetchCursor(database, sql: statement.sql("id, latitude, longitude"), arguments: statement.arguments)
        var found: [NearestOrders.Candidate] = []
        while let row = try rows.next() {
            guard let coordinate = Coordinate(latitude: try row.decode(atIndex: 1), longitude: try row.decode(atIndex: 2)) else { continue }
            found.append(NearestOrders.Candidate(metres: place.distance(to: coordinate), id: try row.decode(atIndex: 0)))
        }
        return found
    }

    private func unlocatedIDs(after id: Int, count: Int, in database: Database) throws -> [Int] {
        var statement = self
        statement.add("latitude IS NULL AND id > ?", [id])
        let sql = statement.sql("id") + " ORDER BY id LIMIT ?"
        return try Int.fetchAll(database, sql: sql, arguments: statement.arguments + [count])
    }
}
