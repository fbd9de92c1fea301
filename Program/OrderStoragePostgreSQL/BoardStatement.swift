#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// The statement for a page of orders.
    struct BoardStatement {
        static let missingTime = Int64.max
        static let heldStates = "(" + OrderState.allCases.filter(\.hasHolder).map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"

        private let query: BoardQuery
        private var conditions: [PostgreSQLStatement]

        init(_ query: BoardQuery) {
            self.query = query
            conditions = Self.scope(of: query) + Self.boxConditions(of: query) + (query.text.map(Self.textConditions) ?? [])
        }

        mutating func add(_ condition: PostgreSQLStatement) { conditions.append(condition) }

        func statement(_ columns: PostgreSQLStatement) -> PostgreSQLStatement {
            conditions.isEmpty
                ? "SELECT \(columns) FROM orders" : "SELECT \(columns) FROM orders WHERE \(conditions, separator: " AND ")"
        }

        /// The statement of a page, with one order more than it has.
        var page: PostgreSQLStatement {
            var statement = self
            statement.addCursor()
            return "\(statement.statement(PostgreSQLStatement(sql: OrderRecord.columns))) ORDER BY \(sql: order) LIMIT \(query.limit + 1)"
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
        private static func scope(of query: BoardQuery) -> [PostgreSQLStatement] {
            switch query.scope {
            case .open: ["state = 'open'"]
            case .held(let person): ["holder = \(person.rawValue)", "state IN \(sql: heldStates)"]
            case .visible(let person): ["(state = 'open' OR holder = \(person.rawValue) AND state IN \(sql: heldStates))"]
            case .states(let states) where states.count < OrderState.allCases.count:
                ["state = ANY (\(array: states.map(\.rawValue).sorted())::text[])"]
            case .states: []
            case .attention(let now): [attentionCondition(at: now)]
            }
        }

        /// The condition of `OrderRecord.attention`, with a search of an index for each reason.
        static func attentionCondition(at now: Timestamp) -> PostgreSQLStatement {
            let (leaseEnd, due) = (now.milliseconds + AttentionReason.leaseNotice, now.milliseconds + AttentionReason.dueNotice)
            return """
                id IN (
                    SELECT id FROM orders WHERE open_reports > 0
                    UNION ALL SELECT id FROM orders WHERE deadline <= \(now.milliseconds) AND state IN \(sql: heldStates)
                    UNION ALL SELECT id FROM orders WHERE state = 'returning'
                    UNION ALL SELECT id FROM orders WHERE state IN ('pickedUp', 'arrived') AND attempts > 0
                    UNION ALL SELECT id FROM orders WHERE state = 'claimed' AND lease_end <= \(leaseEnd)
                    UNION ALL SELECT id FROM orders WHERE state = 'open' AND \(sql: dueKey) <= \(due))
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
