#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// The statement of one decision.
    ///
    /// It writes the order under the condition that neither it nor the epoch has changed since it was read, and everything else of the decision only if it
    /// has written the order. Its result is the number of written orders.
    struct CommandWriting {
        private let order: StoredOrder
        private let reading: CommandReading

        init(_ order: StoredOrder, _ reading: CommandReading) {
            self.order = order
            self.reading = reading
        }

        /// Returns the statement that stores a verdict without a change of an order.
        static func statement(for verdict: StoredVerdict, of command: OrderStoreCommand) throws -> PostgreSQLStatement {
            "WITH written AS (\(insertion(of: try values(of: verdict, of: command), from: nil)) RETURNING 1) SELECT count(*) AS written FROM written"
        }

        /// Returns the statement that writes a decision with its verdict; nil if the order does not change.
        ///
        /// - Parameter verdict: Nil to store none.
        func statement(
            for decision: OrderDecision, _ command: OrderStoreCommand, verdict: StoredVerdict?
        ) throws -> PostgreSQLStatement? {
            guard !decision.events.isEmpty || decision.report != nil || decision.isLeaseRenewed else { return nil }
            guard let order = writing(of: decision, command) else { return nil }
            var parts: [PostgreSQLStatement] = ["written AS (\(order))"]
            if let content = decision.content { parts.append("words AS (\(words(of: content)))") }
            if !decision.events.isEmpty {
                let (events, changes) = try insertions(of: decision.events)
                parts += ["events AS (\(events))", "changes AS (\(changes))"]
            }
            if let report = decision.report {
                let (reports, changes) = try insertions(of: report)
                parts += ["reports AS (\(reports))", "report_changes AS (\(changes))"]
            }
            if let number = decision.lastSettledReport {
                parts.append(
                    """
                    settled AS (UPDATE order_reports SET is_settled = true FROM written
                        WHERE order_id = written.id AND number <= \(number) AND NOT is_settled)
                    """)
            }
            if let verdict {
                parts.append("verdict AS (\(Self.insertion(of: try Self.values(of: verdict, of: command), from: "written")))")
            }
            return "WITH \(parts, separator: ", ") SELECT count(*) AS written FROM written"
        }

        // MARK: - The verdict

        private static func values(of verdict: StoredVerdict, of command: OrderStoreCommand) throws -> PostgreSQLStatement {
            """
            \(command.personText)::text, \(command.key)::text, \(command.fingerprint)::text, \(try JSONColumn.encode(verdict))::text,
                \(verdict.acceptanceTime.milliseconds)::bigint
            """
        }

        private static func insertion(of values: PostgreSQLStatement, from source: String?) -> PostgreSQLStatement {
            let origin = source.map { " FROM \($0)" } ?? ""
            return "INSERT INTO verdicts (person, key, fingerprint, verdict, milliseconds) SELECT \(values)\(sql: origin)"
        }

        // MARK: - The order

        private func writing(of decision: OrderDecision, _ command: OrderStoreCommand) -> PostgreSQLStatement? {
            guard order.lifecycle.state == nil else { return update(with: decision) }
            guard let content = decision.content, case .create(_, let externalID) = command.change else { return nil }
            return insertion(of: content, externalID, decision.order)
        }

        private func insertion(of content: OrderContent, _ externalID: String?, _ state: OrderLifecycle) -> PostgreSQLStatement {
            let columns = OrderContent.columns.joined(separator: ", ")
            return """
                INSERT INTO orders (id, external_id, \(sql: columns), state, fence, event_count)
                SELECT \(order.id), \(externalID)::text, \(content.values(), separator: ", "), \(state.stateText), \(state.fence.rawValue),
                    \(state.eventCount)
                FROM order_metadata WHERE epoch = \(reading.epoch) RETURNING id
                """
        }

        private func update(with decision: OrderDecision) -> PostgreSQLStatement {
            var assignments: [PostgreSQLStatement] = ["revision = revision + 1"]
            if !decision.events.isEmpty { assignments += Self.assignments(of: decision.order) }
            if decision.events.isEmpty, decision.isLeaseRenewed {
                assignments.append("lease_end = \(decision.order.leaseEnd?.milliseconds)")
            }
            if let content = decision.content {
                assignments += zip(OrderContent.columns, content.values()).map { "\(sql: $0) = \($1)" }
                assignments.append("is_demo = false")
                // A new PIN is not locked by the wrong ones before it.
                assignments.append("wrong_pins = CASE WHEN pin IS DISTINCT FROM \(content.pin)::text THEN 0 ELSE wrong_pins END")
            }
            if let number = decision.lastSettledReport {
                assignments.append(
                    """
                    open_reports = (SELECT count(*) FROM order_reports
                        WHERE order_id = \(order.id) AND number > \(number) AND NOT is_settled)
                    """)
            }
            if decision.report != nil { assignments.append("open_reports = open_reports + 1") }
            return """
                UPDATE orders SET \(assignments, separator: ", ")
                WHERE id = \(order.id) AND revision = \(reading.revision)
                    AND EXISTS (SELECT 1 FROM order_metadata WHERE epoch = \(reading.epoch)) RETURNING id
                """
        }

        private static func assignments(of order: OrderLifecycle) -> [PostgreSQLStatement] {
            [
                "state = \(order.stateText)", "fence = \(order.fence.rawValue)",
                "holder = \(order.state == .open ? nil : order.holder?.rawValue)", "held_since = \(order.heldSince?.milliseconds)",
                "lease_end = \(order.leaseEnd?.milliseconds)", "deadline = \(order.deadline?.milliseconds)", "attempts = \(order.attempts)",
                "event_count = \(order.eventCount)",
            ]
        }

        private func words(of content: OrderContent) -> PostgreSQLStatement {
            let words = SearchWords.words(in: [content.title, content.note, content.destination.address].joined(separator: " "))
            return """
                INSERT INTO order_words (id, words) SELECT id, array_to_tsvector(\(array: words)::text[]) FROM written
                ON CONFLICT (id) DO UPDATE SET words = excluded.words
                """
        }

        // MARK: - Events and reports

        private func insertions(
            of events: [OrderEvent]
        ) throws -> (events: PostgreSQLStatement, changes: PostgreSQLStatement) {
            var (lifecycle, rows, changes) = (order.lifecycle, [PostgreSQLStatement](), [PostgreSQLStatement]())
            for event in events {
                let holder = lifecycle.state?.hasHolder == true ? lifecycle.holder?.rawValue : nil
                rows.append("(\(event.number)::bigint, \(try JSONColumn.encode(event))::text)")
                changes.append(
                    "(\(event.number)::bigint, NULL::bigint, \(holder)::text, \(lifecycle.state == .open)::boolean, \(event.acceptanceTime.milliseconds)::bigint)"
                )
                lifecycle.apply(event)
            }
            return (
                "INSERT INTO order_events (order_id, number, event) SELECT written.id, new.* FROM written, (VALUES \(rows, separator: ", ")) AS new",
                Self.insertion(ofChanges: changes)
            )
        }

        private func insertions(
            of report: OrderReport
        ) throws -> (reports: PostgreSQLStatement, changes: PostgreSQLStatement) {
            let (number, holder) = (order.reports.count + 1, order.lifecycle.holder?.rawValue)
            return (
                """
                INSERT INTO order_reports (order_id, number, report)
                SELECT id, \(number)::bigint, \(try JSONColumn.encode(report))::text FROM written
                """,
                Self.insertion(ofChanges: [
                    "(NULL::bigint, \(number)::bigint, \(holder)::text, false, \(report.acceptanceTime.milliseconds)::bigint)"
                ])
            )
        }

        /// Changes are numbered in the order of the rows.
        private static func insertion(ofChanges rows: [PostgreSQLStatement]) -> PostgreSQLStatement {
            """
            INSERT INTO order_changes (order_id, event, report, previous_holder, was_open, milliseconds)
            SELECT written.id, new.* FROM written, (VALUES \(rows, separator: ", ")) AS new
            """
        }
    }

    extension OrderLifecycle {
        fileprivate var stateText: String { (state ?? .open).rawValue }
    }
#endif
