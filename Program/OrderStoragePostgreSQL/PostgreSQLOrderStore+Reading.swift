#if PostgreSQL
    package import OrderLifecycle
    package import OrderStorage
    import PostgreSQLClient

    extension PostgreSQLOrderStore {
        package func order(_ id: Int) async throws -> OrderRecord? {
            try await client.read("SELECT \(sql: OrderRecord.columns) FROM orders WHERE id = \(id)", for: .command).first.map {
                try OrderRecord($0)
            }
        }

        package func orders(_ query: BoardQuery) async throws -> OrderPage {
            try await BoardReading(client).page(query)
        }

        package func openOrderIDs(demoOnly: Bool) async throws -> [Int] {
            try await client.read("SELECT id FROM orders WHERE state = 'open' AND (is_demo OR NOT \(demoOnly)) ORDER BY id")
                .map { try $0.value("id") }
        }

        package func counts(at now: Timestamp) async throws -> OrderCounts {
            let results = try await client.read([
                Self.stateCounts,
                "SELECT count(*) AS count FROM orders WHERE \(BoardStatement.attentionCondition(at: now))",
                "SELECT holder, count(*) AS count FROM orders WHERE state IN \(sql: BoardStatement.heldStates) GROUP BY holder",
            ])
            func pairs<Key: Hashable>(_ rows: PostgreSQLRows, _ key: (String) -> Key?, _ column: String) throws -> [Key: Int] {
                try rows.reduce(into: [:]) { pairs, row in
                    if let key = key(try row.value(column)) { pairs[key] = try row.value("count") }
                }
            }
            return OrderCounts(
                states: try pairs(results[0], OrderState.init(rawValue:), "state"), attention: try results[1][0].value("count"),
                held: try pairs(results[2], PersonID.init(rawValue:), "holder"))
        }

        package func history(of order: Int) async throws -> OrderHistory? {
            let results = try await client.read([
                "SELECT \(sql: OrderRecord.columns), fence_floor FROM orders, order_metadata WHERE orders.id = \(order)",
                "SELECT event FROM order_events WHERE order_id = \(order) ORDER BY number",
                "SELECT number, report, is_settled FROM order_reports WHERE order_id = \(order) ORDER BY number",
                Self.proofRecords(ofOrder: order),
            ])
            guard let row = results[0].first else { return nil }
            return OrderHistory(
                record: try OrderRecord(row), events: try results[1].map { try JSONColumn.decode($0.value("event")) },
                reports: try results[2].map {
                    StoredReport(
                        number: try $0.value("number"), report: try JSONColumn.decode($0.value("report")),
                        isSettled: try $0.value("is_settled"))
                },
                proofs: try results[3].map { try ProofRecord($0) }, fenceFloor: Fence(rawValue: try row.value("fence_floor")))
        }
    }

    // MARK: - The change feed

    extension PostgreSQLOrderStore {
        /// The end of the change feed: the last change of a transaction before the oldest running one.
        ///
        /// Transactions commit in another order than that in which they took their numbers. A change of one that still runs would be missed by a reader that
        /// has seen a later number, so the feed ends before the oldest running transaction, whichever database it is in: a long one delays the feed.
        ///
        /// Both ends are read from the index: of a comparison with the snapshot the planner expects so many rows that it would read the whole table.
        ///
        /// Source: PostgreSQL, 9.26 System Information Functions, `pg_snapshot_xmin`.
        static let position: PostgreSQLStatement = """
            SELECT epoch, pruned_transaction, pruned_part,
                COALESCE(newest.transaction >= pg_snapshot_xmin(pg_current_snapshot()), false) AS is_held_back,
                COALESCE(last.transaction, pruned_transaction) AS transaction, COALESCE(last.part, pruned_part) AS part
            FROM order_metadata
                LEFT JOIN (SELECT transaction FROM order_changes ORDER BY transaction DESC, part DESC LIMIT 1) AS newest ON true
                LEFT JOIN (SELECT transaction, part FROM order_changes WHERE transaction < pg_snapshot_xmin(pg_current_snapshot())
                    ORDER BY transaction DESC, part DESC LIMIT 1) AS last ON true
            """

        package func position() async throws -> ChangePosition {
            try ChangePosition(await client.read(Self.position, for: .command))
        }

        package func changes(after position: ChangePosition, limit: Int) async throws -> ChangePage {
            let results = try await client.read([Self.position, Self.changes(after: position, limit: limit)])
            let current = try ChangePosition(results[0])
            guard let metadata = results[0].first else { throw PostgreSQLError.unexpectedValue(column: "epoch") }
            let pruned = ChangePosition(
                epoch: current.epoch, number: try metadata.value("pruned_transaction"), part: try metadata.value("pruned_part"))
            guard position.epoch == current.epoch, !position.isBefore(pruned), !current.isBefore(position) else {
                throw OrderStoreError.positionExpired(current: current)
            }
            let changes = try results[1].map { try OrderChange($0, epoch: current.epoch) }
            let end = changes.last?.position ?? current
            return ChangePage(
                changes: changes, position: end, hasMore: end.isBefore(current), isHeldBack: try metadata.value("is_held_back"))
        }

        private static func changes(after position: ChangePosition, limit: Int) -> PostgreSQLStatement {
            """
            SELECT transaction, part, order_changes.order_id, order_changes.report AS report_number, previous_holder, was_open,
                order_events.event, order_reports.report
            FROM order_changes
                LEFT JOIN order_events ON order_events.order_id = order_changes.order_id AND order_events.number = order_changes.event
                LEFT JOIN order_reports ON order_reports.order_id = order_changes.order_id AND order_reports.number = order_changes.report
            WHERE (transaction, part) > (\(position.number)::text::xid8, \(position.part)::bigint)
                AND transaction < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY transaction, part LIMIT \(limit)
            """
        }

        /// Begins an epoch after commits may have been lost: positions and fences of the previous one are stale, ids of lost orders are not used
        /// again, and sign-in links are deleted.
        ///
        /// A link may have been used or revoked by a commit that is lost.
        ///
        /// The change feed is deleted, because nobody can continue in it, and after a restore the numbers of its transactions may be those of another
        /// server, beyond all that this one assigns.
        ///
        /// - Parameter number: A number above all fences and ids that may be lost. The present time in seconds since 1970 is one, unless an order has
        ///   changed hands each second, or one order was created each second.
        package func beginEpochAfterLoss(above number: Int) async throws {
            try await client.writeWithoutLimit([
                "DELETE FROM order_changes",
                "DELETE FROM sign_in_links",
                """
                SELECT setval(ids, GREATEST(nextval(ids), \(number)::bigint))
                FROM (SELECT pg_get_serial_sequence('orders', 'id')::regclass AS ids) AS sequences
                """,
                """
                UPDATE order_metadata SET epoch = substr(md5(random()::text || clock_timestamp()::text), 1, 16),
                    fence_floor = GREATEST(fence_floor + 1, \(number)), pruned_transaction = '0', pruned_part = 0
                """,
            ])
        }
    }

    extension ChangePosition {
        /// Reads the result of `PostgreSQLOrderStore.position`.
        init(_ rows: PostgreSQLRows) throws {
            guard let row = rows.first else { throw PostgreSQLError.unexpectedValue(column: "epoch") }
            self.init(epoch: try row.value("epoch"), number: try row.value("transaction"), part: try row.value("part"))
        }
    }

    extension OrderChange {
        fileprivate init(_ row: PostgreSQLRow, epoch: String) throws {
            let number: Int? = try row.optional("report_number")
            self.init(
                position: ChangePosition(epoch: epoch, number: try row.value("transaction"), part: try row.value("part")),
                order: try row.value("order_id"),
                content: try number.map { .report(number: $0, try JSONColumn.decode(row.value("report"))) }
                    ?? .event(try JSONColumn.decode(row.value("event"))),
                previousHolder: try row.person("previous_holder"), wasOpen: try row.value("was_open"))
        }
    }
#endif
