#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// The statement for a page of orders.
    struct BoardStatement {
        static let missingTime = Int64.max
        static let heldStates = list { $0.hasHolder }
        /// The states whose orders triggers count: another one needs a migration.
        static let finalStates = list { $0.isFinal }
        static let otherStates = list { !$0.isFinal }

        private let query: BoardQuery
        /// The conditions of each scope. No order is in two of them, and together they are the scope of the query.
        private let scopes: [[PostgreSQLStatement]]
        /// The conditions on the orders of all scopes.
        private var conditions: [PostgreSQLStatement]

        init(_ query: BoardQuery) {
            self.query = query
            scopes = Self.scopes(of: query)
            conditions = Self.boxConditions(of: query) + (query.text.map(Self.textConditions) ?? [])
        }

        /// Returns states as a list for `IN`.
        private static func list(where isIncluded: (OrderState) -> Bool) -> String {
            "(" + OrderState.allCases.filter(isIncluded).map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
        }

        mutating func add(_ condition: PostgreSQLStatement) { conditions.append(condition) }

        /// Returns the statement of all orders, in any order.
        func statement(_ columns: PostgreSQLStatement) -> PostgreSQLStatement {
            "\(scopes.map { selection(of: $0, columns) }, separator: " UNION ALL ")"
        }

        /// Returns the statement of the first orders by some keys, which reads no more orders of each scope than it needs.
        func statement(_ columns: PostgreSQLStatement, by keys: String, limit: Int) -> PostgreSQLStatement {
            let parts = scopes.map { scope -> PostgreSQLStatement in
                "(\(selection(of: scope, columns)) ORDER BY \(sql: keys) LIMIT \(limit))"
            }
            guard parts.count > 1 else { return parts[0] }
            return "SELECT * FROM (\(parts, separator: " UNION ALL ")) AS orders ORDER BY \(sql: keys) LIMIT \(limit)"
        }

        private func selection(of scope: [PostgreSQLStatement], _ columns: PostgreSQLStatement) -> PostgreSQLStatement {
            let conditions = scope + self.conditions
            return conditions.isEmpty
                ? "SELECT \(columns) FROM orders" : "SELECT \(columns) FROM orders WHERE \(conditions, separator: " AND ")"
        }

        /// The statement of a page, with one order more than it has.
        var page: PostgreSQLStatement {
            var statement = self
            statement.addCursor()
            return statement.statement(PostgreSQLStatement(sql: OrderRecord.columns), by: order, limit: query.limit + 1)
        }

        private mutating func addCursor() {
            switch query.after {
            case .id(let id): add("id > \(id)")
            case .newest(let id): add("id < \(id)")
            case .price(let currency, let amount, let id): add("(currency, amount, id) > (\(currency), \(amount), \(id))")
            case .due(let due, let id): add("(\(sql: Self.dueKey), id) > (\(due ?? Self.missingTime), \(id))")
            case .distance, nil: break
            }
        }

        private static let dueKey = "COALESCE(due, \(missingTime))"

        private var order: String {
            switch query.sort {
            case .id, .distance: "id"
            case .newest: "id DESC"
            case .price: "currency, amount, id"
            case .due: "\(Self.dueKey), id"
            }
        }
    }

    // MARK: - Conditions

    extension BoardStatement {
        /// Returns several scopes where each has an index in the order of the page, which a condition on all would not use.
        private static func scopes(of query: BoardQuery) -> [[PostgreSQLStatement]] {
            switch query.scope {
            case .open: [open]
            case .held(let person): [held(by: person)]
            case .visible(let person): [open, held(by: person)]
            case .states(let states): scopes(of: states.map(\.rawValue).sorted(), in: query)
            case .attention(let now): [[attentionCondition(at: now)]]
            }
        }

        private static let open: [PostgreSQLStatement] = ["state = 'open'"]

        private static func held(by person: PersonID) -> [PostgreSQLStatement] {
            ["holder = \(person.rawValue)", "state IN \(sql: heldStates)"]
        }

        private static func scopes(of states: [String], in query: BoardQuery) -> [[PostgreSQLStatement]] {
            let isWhole = states.count == OrderState.allCases.count
            let isIndexed =
                switch query.sort {
                // All states together have the index of the ids.
                case .id, .newest: !isWhole
                case .price, .due: true
                case .distance: false
                }
            // The orders with a text are found by its words, once for all states.
            if states.count == 1 || states.count > 1 && isIndexed && query.text == nil {
                return states.map { ["state = '\(sql: $0)'"] }
            }
            return isWhole ? [[]] : [["state = ANY (\(array: states)::text[])"]]
        }

        /// The condition of `OrderRecord.attention`, with a search of an index for each reason.
        ///
        /// The ids are an array: of a subquery the planner may expect so many rows that it reads all orders, by id, in place of those.
        static func attentionCondition(at now: Timestamp) -> PostgreSQLStatement {
            let (leaseEnd, due) = (now.milliseconds + AttentionReason.leaseNotice, now.milliseconds + AttentionReason.dueNotice)
            return """
                id = ANY (ARRAY(
                    SELECT id FROM orders WHERE open_reports > 0
                    UNION ALL SELECT id FROM orders WHERE deadline <= \(now.milliseconds) AND state IN \(sql: heldStates)
                    UNION ALL SELECT id FROM orders WHERE state = 'returning'
                    UNION ALL SELECT id FROM orders WHERE state IN ('pickedUp', 'arrived') AND attempts > 0
                    UNION ALL SELECT id FROM orders WHERE state = 'claimed' AND lease_end <= \(leaseEnd)
                    UNION ALL SELECT id FROM orders WHERE state = 'open' AND \(sql: dueKey) <= \(due)))
                """
        }

        private static func textConditions(of text: String) -> [PostgreSQLStatement] {
            let text = SearchText(text)
            let words = SearchWords.query(for: text.words)
            let indexed = words.map { "id IN (SELECT id FROM order_words WHERE words @@ \($0)::tsquery)" as PostgreSQLStatement }
            // Words have no characters with a meaning in a pattern, and a space separates the texts. As in SQLite only ASCII letters ignore case.
            let parts = text.parts.map { "concat_ws(' ', title, note, address) COLLATE \"C\" ILIKE \("%\($0)%")" as PostgreSQLStatement }
            return (indexed.map { [$0] } ?? []) + parts
        }

        private static func boxConditions(of query: BoardQuery) -> [PostgreSQLStatement] {
            guard let box = query.box else { return [] }
            let parts = box.normalized.map { condition(of: $0) }
            return ["(\(parts, separator: " OR "))"]
        }

        /// The condition for a place inside of a box; of open orders those are found in an index.
        static func condition(of box: CoordinateBox) -> PostgreSQLStatement {
            """
            (point(longitude, latitude) <@ box(point(\(box.east)::float8, \(box.north)::float8), point(\(box.west)::float8, \(box.south)::float8))
                AND latitude BETWEEN \(box.south)::float8 AND \(box.north)::float8
                AND longitude BETWEEN \(box.west)::float8 AND \(box.east)::float8)
            """
        }
    }
#endif
