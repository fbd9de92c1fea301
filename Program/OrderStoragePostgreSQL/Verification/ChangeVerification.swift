#if PostgreSQL
    import OrderStorage
    import PostgreSQLClient

    /// A comparison of the change feed with the events and reports.
    struct ChangeVerification {
        private let snapshot: PostgreSQLSnapshot

        init(_ snapshot: PostgreSQLSnapshot) { self.snapshot = snapshot }

        /// Returns the problems as text for users.
        func problems() async throws -> [String] {
            var list = ProblemList()
            if try await snapshot.count(of: "order_metadata") != 1 { list.add("the epoch is missing") }
            let rows = try await snapshot.read(
                """
                SELECT order_changes.order_id, order_changes.event, order_changes.report FROM order_changes
                    LEFT JOIN order_events ON order_events.order_id = order_changes.order_id AND order_events.number = order_changes.event
                    LEFT JOIN order_reports ON order_reports.order_id = order_changes.order_id AND order_reports.number = order_changes.report
                WHERE order_events.number IS NULL AND order_reports.number IS NULL
                ORDER BY transaction, part LIMIT \(ProblemList.limit)
                """)
            for row in rows {
                let (order, event, report): (Int, Int?, Int?) = (
                    try row.value("order_id"), try row.optional("event"), try row.optional("report")
                )
                let name = event.map { "event \($0)" } ?? "report \(report ?? 0)"
                list.add("a change refers to \(name) of order \(order), which does not exist")
            }
            return list.problems
        }
    }
#endif
