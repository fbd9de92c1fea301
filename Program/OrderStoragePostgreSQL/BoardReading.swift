#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// The reading of a page of orders, with the position of the change feed in the same snapshot.
    struct BoardReading {
        /// The radius of the first search for the nearest orders, in metres.
        private static let firstRadius = 100.0
        /// The factor between the radii of two searches.
        private static let radiusFactor = 4.0
        /// Half of the circumference of the earth, in metres: every place is nearer.
        private static let maximumDistance = 20_100_000.0

        private let client: PostgreSQLClient

        init(_ client: PostgreSQLClient) {
            self.client = client
        }

        func page(_ query: BoardQuery) async throws -> OrderPage {
            if case .distance(let place) = query.sort { return try await page(query, near: place) }
            let results = try await client.read([PostgreSQLOrderStore.position, BoardStatement(query).page])
            let orders = try results[1].prefix(query.limit).map { try OrderRecord($0) }
            return OrderPage(
                orders: orders, next: results[1].count > query.limit ? orders.last.map(query.cursor) : nil,
                position: try ChangePosition(results[0]))
        }

        // MARK: - Distance

        /// A place in the order of distances.
        private struct Candidate {
            let metres: Double
            let id: Int
        }

        /// Returns the nearest orders after the cursor; those without a place follow by id.
        ///
        /// An order may change between the searches and the reading of the page, and is missing there if the query does not find it any
        /// more. The position is read first, so that the change is received again.
        private func page(_ query: BoardQuery, near place: Coordinate) async throws -> OrderPage {
            let position = try ChangePosition(await client.read(PostgreSQLOrderStore.position))
            let count = query.limit + 1
            var (start, lastID) = (Candidate(metres: -1, id: 0), 0)
            if case .distance(let metres, let id) = query.after {
                if let metres {
                    start = Candidate(metres: metres, id: id)
                } else {
                    (start, lastID) = (Candidate(metres: .infinity, id: 0), id)
                }
            }
            var found = start.metres.isFinite ? try await candidates(query, near: place, after: start, count: count) : []
            if found.count < count {
                var statement = BoardStatement(query)
                statement.add("latitude IS NULL AND id > \(lastID)")
                let rows = try await client.read(statement.statement("id", by: "id", limit: count - found.count))
                found += try rows.map { Candidate(metres: .infinity, id: try $0.value("id")) }
            }
            let page = found.prefix(query.limit)
            let orders = try await orders(page.map(\.id), of: query)
            let last = found.count > query.limit ? page.last : nil
            return OrderPage(
                orders: orders, next: last.map { .distance(metres: $0.metres.isFinite ? $0.metres : nil, id: $0.id) }, position: position)
        }

        /// Searches in growing circles until enough orders lie completely inside of one.
        private func candidates(
            _ query: BoardQuery, near place: Coordinate, after start: Candidate, count: Int
        ) async throws -> [Candidate] {
            var radius = max(Self.firstRadius, start.metres * 1.5)
            while true {
                let isWhole = radius >= Self.maximumDistance || query.scope != .open
                var statement = BoardStatement(query)
                statement.add("latitude IS NOT NULL")
                if !isWhole {
                    let boxes = place.boxes(within: radius).map(BoardStatement.condition)
                    statement.add("(\(boxes, separator: " OR "))")
                }
                let rows = try await client.read(
                    """
                    SELECT id, metres FROM (\(statement.statement("id, \(Self.distance(from: place)) AS metres"))) AS found
                    WHERE (metres, id) > (\(start.metres)::float8, \(start.id)) AND metres <= \(isWhole ? .infinity : radius)::float8
                    ORDER BY metres, id LIMIT \(count)
                    """)
                if rows.count >= count || isWhole {
                    return try rows.map { Candidate(metres: try $0.value("metres"), id: try $0.value("id")) }
                }
                radius *= Self.radiusFactor
            }
        }

        /// Returns the distance of an order from a place, in metres, as `Coordinate.distance(to:)` computes it.
        private static func distance(from place: Coordinate) -> PostgreSQLStatement {
            """
            2 * \(Coordinate.earthRadius)::float8 * asin(LEAST(1, sqrt(
                sin((radians(latitude) - radians(\(place.latitude)::float8)) / 2) ^ 2
                + cos(radians(\(place.latitude)::float8)) * cos(radians(latitude))
                    * sin(radians(longitude - \(place.longitude)::float8) / 2) ^ 2)))
            """
        }

        /// Returns the orders with some ids that the query still finds, in the order of the ids; one may have been taken since the search.
        func orders(_ ids: [Int], of query: BoardQuery) async throws -> [OrderRecord] {
            var statement = BoardStatement(query)
            statement.add("id = ANY (\(array: ids.map(String.init))::bigint[])")
            let rows = try await client.read(statement.statement(PostgreSQLStatement(sql: OrderRecord.columns)))
            let orders = Dictionary(uniqueKeysWithValues: try rows.map { try OrderRecord($0) }.map { ($0.id, $0) })
            return ids.compactMap { orders[$0] }
        }
    }
#endif
