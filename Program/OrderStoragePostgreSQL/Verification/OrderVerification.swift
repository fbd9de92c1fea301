#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// A comparison of the stored orders with their events and reports.
    ///
    /// Orders and events are read side by side in the order of their ids, a batch of each at a time.
    struct OrderVerification {
        /// The number of rows that are read at once.
        private static let batchSize = 500

        private let snapshot: PostgreSQLSnapshot
        private let progress: PostgreSQLOrderVerification.Progress
        private var orders: PostgreSQLCursor
        private var events: PostgreSQLCursor
        /// The next event; nil after the last one.
        private var nextEvent: EventRow?
        /// The proofs of deliveries that have not been searched yet.
        private var proofs: [DeliveryProof] = []
        private var list = ProblemList()

        init(of snapshot: PostgreSQLSnapshot, _ progress: @escaping PostgreSQLOrderVerification.Progress) async throws {
            self.snapshot = snapshot
            self.progress = progress
            orders = try await snapshot.cursor(
                "SELECT \(sql: OrderRecord.columns) FROM orders ORDER BY orders.id", batchSize: Self.batchSize)
            events = try await snapshot.cursor(
                "SELECT order_id, number, event FROM order_events ORDER BY order_id, number", batchSize: Self.batchSize)
        }

        /// Returns the problems as text for users.
        mutating func problems() async throws -> [String] {
            try await compareOrders()
            try await findProofs()
            try await compareStateCounts()
            try await compareReportCounts()
            try await checkReports()
            return list.problems
        }

        // MARK: - Events

        private mutating func compareOrders() async throws {
            let fenceFloor = try await fenceFloor()
            let total = try await snapshot.count(of: "orders")
            var completed = 0
            try await advance()
            while !list.isFull, let row = try await orders.next() {
                let id: Int = try row.value("id")
                try await skipEvents(before: id)
                let replay = try await replay(of: id)
                compare(row, id, with: replay, fenceFloor)
                completed += 1
                progress(completed, total)
            }
            if !list.isFull { try await skipEvents(before: .max) }
        }

        private func fenceFloor() async throws -> Fence {
            let row = try await snapshot.read("SELECT fence_floor FROM order_metadata").first
            return try row.map { Fence(rawValue: try $0.value("fence_floor")) } ?? .initial
        }

        private mutating func advance() async throws { nextEvent = try await events.next().map { try EventRow($0) } }

        /// Reports the events of orders that do not exist.
        private mutating func skipEvents(before id: Int) async throws {
            var last: Int?
            while let event = nextEvent, event.order < id {
                if event.order != last { list.add("order \(event.order) has events and no content") }
                last = event.order
                try await advance()
            }
        }

        private mutating func replay(of id: Int) async throws -> OrderReplay {
            var replay = OrderReplay()
            while let row = nextEvent, row.order == id {
                replay.add(row.event, number: row.number)
                proofs += (row.event?.proofs ?? []).map { DeliveryProof(order: id, digest: $0) }
                if proofs.count >= Self.batchSize { try await findProofs() }
                try await advance()
            }
            return replay
        }

        private mutating func compare(_ row: PostgreSQLRow, _ id: Int, with replay: OrderReplay, _ fenceFloor: Fence) {
            guard let record = try? OrderRecord(row) else { return list.add("order \(id) cannot be read") }
            if let problem = replay.problem(of: record, fenceFloor: fenceFloor) { list.add("order \(id): \(problem)") }
        }

        // MARK: - Proofs

        /// Searches the collected proofs among those that are stored.
        private mutating func findProofs() async throws {
            guard !proofs.isEmpty else { return }
            let (ids, digests) = (proofs.map { String($0.order) }, proofs.map(\.digest.rawValue))
            proofs = []
            let rows = try await snapshot.read(
                """
                SELECT DISTINCT order_id FROM unnest(\(array: ids)::bigint[], \(array: digests)::text[]) AS delivered (order_id, digest)
                WHERE NOT EXISTS (SELECT 1 FROM proofs WHERE proofs.order_id = delivered.order_id AND proofs.digest = delivered.digest)
                ORDER BY order_id
                """)
            for row in rows { list.add("order \(try row.value("order_id", as: Int.self)) was delivered with a proof that is not stored") }
        }

        // MARK: - Counts

        private mutating func compareStateCounts() async throws {
            let rows = try await snapshot.read(
                """
                SELECT state FROM (
                    SELECT state, count FROM final_order_counts
                    UNION ALL SELECT state, -count(*) FROM orders WHERE state IN \(sql: BoardStatement.finalStates) GROUP BY state) AS counts
                GROUP BY state HAVING sum(count) <> 0 ORDER BY state
                """)
            for row in rows { list.add("the number of orders in the state \"\(try row.value("state", as: String.self))\" is wrong") }
        }

        // MARK: - Reports

        private mutating func compareReportCounts() async throws {
            let rows = try await snapshot.read(
                """
                SELECT id FROM orders LEFT JOIN (
                        SELECT order_id, count(*) AS count FROM order_reports WHERE NOT is_settled GROUP BY order_id) AS counted ON order_id = id
                WHERE open_reports <> COALESCE(count, 0) ORDER BY id LIMIT \(ProblemList.limit)
                """)
            for row in rows {
                list.add("order \(try row.value("id", as: Int.self)): the number of open reports differs from the reports")
            }
        }

        private mutating func checkReports() async throws {
            var reports = try await snapshot.cursor(
                "SELECT order_id, number, report FROM order_reports ORDER BY order_id, number", batchSize: Self.batchSize)
            var (last, count) = (0, 0)
            while !list.isFull {
                let batch = try await reports.nextBatch()
                guard !batch.isEmpty else { return }
                for row in batch {
                    let (order, number): (Int, Int) = (try row.value("order_id"), try row.value("number"))
                    count = order == last ? count + 1 : 1
                    last = order
                    if number != count { list.add("order \(order): report \(count) is missing") }
                    count = number
                    if Self.report(in: row) == nil { list.add("order \(order): report \(number) cannot be read") }
                }
                let ids = Set(try batch.map { try $0.value("order_id", as: Int.self) })
                for id in try await snapshot.missingOrders(of: ids) { list.add("order \(id) has reports and no content") }
            }
        }

        private static func report(in row: PostgreSQLRow) -> OrderReport? { try? JSONColumn.decode(row.value("report")) }
    }

    /// A proof that an event names.
    private struct DeliveryProof {
        let order: Int
        let digest: ProofDigest
    }

    /// A stored event.
    private struct EventRow {
        let order: Int
        let number: Int
        /// Nil if it cannot be read.
        let event: OrderEvent?

        init(_ row: PostgreSQLRow) throws {
            order = try row.value("order_id")
            number = try row.value("number")
            event = try? JSONColumn.decode(row.value("event"))
        }
    }
#endif
