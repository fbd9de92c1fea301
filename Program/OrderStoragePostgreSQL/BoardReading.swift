#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// The reading of a page of orders, with the position of the change feed in the same snapshot.
    struct BoardReading {
        private let client: PostgreSQLClient

        init(_ client: PostgreSQLClient) {
            self.client = client
        }

        func page(_ query: BoardQuery) async throws -> OrderPage {
            if let nearest = NearestOrders(query) { return try await page(nearest) }
            let results = try await client.read([PostgreSQLOrderStore.position, BoardStatement(query).page])
            let orders = try results[1].prefix(query.limit).map { try OrderRecord($0) }
            return OrderPage(
                orders: orders, next: results[1].count > query.limit ? orders.last.map(query.cursor) : nil,
                position: try ChangePosition(results[0]))
        }

        // MARK: - Distance

        /// Returns the nearest orders after the cursor; those without a place follow by id.
        ///
        /// An order may change between the searches and the reading of the page, and is missing there if the query does not find it any
        /// more. The position is read first, so that the change is received again.
        private func page(_ nearest: NearestOrders) async throws -> OrderPage {
            let position = try ChangePosition(await client.read(PostgreSQLOrderStore.position))
            let located = try await candidates(nearest)
            let missing = nearest.count - located.count
            let unlocated = missing > 0 ? try await unlocatedIDs(nearest, limit: missing) : []
            let page = nearest.page(located, unlocatedIDs: unlocated)
            return OrderPage(orders: try await orders(page.ids, of: nearest.query), next: page.next, position: position)
        }

        /// Searches in growing circles until enough orders lie completely inside of one.
        private func candidates(_ nearest: NearestOrders) async throws -> [NearestOrders.Candidate] {
            var found: [NearestOrders.Candidate] = []
            for radius in nearest.radii {
                found = try await client.read(Self.statement(nearest, within: radius))
                    .map { NearestOrders.Candidate(metres: try $0.value("metres"), id: try $0.value("id")) }
                if found.count >= nearest.count { break }
            }
            return found
        }

        private static func statement(_ nearest: NearestOrders, within radius: Double) -> PostgreSQLStatement {
            var statement = BoardStatement(nearest.query)
            statement.add("latitude IS NOT NULL")
            if radius.isFinite {
                let boxes = nearest.place.boxes(within: radius).map(BoardStatement.condition)
                statement.add("(\(boxes, separator: " OR "))")
            }
            return """
                SELECT id, metres FROM (\(statement.statement("id, \(distance(from: nearest.place)) AS metres"))) AS found
                WHERE (metres, id) > (\(nearest.start.metres)::float8, \(nearest.start.id)) AND metres <= \(radius)::float8
                ORDER BY metres, id LIMIT \(nearest.count)
                """
        }

        private func unlocatedIDs(_ nearest: NearestOrders, limit: Int) async throws -> [Int] {
            var statement = BoardStatement(nearest.query)
            statement.add("latitude IS NULL AND id > \(nearest.lastUnlocatedID)")
            return try await client.read(statement.statement("id", by: "id", limit: limit)).map { try $0.value("id") }
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
