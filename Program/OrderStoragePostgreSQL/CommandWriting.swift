#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// The statements of one decision, which form one transaction.
    ///
    /// The first one writes the order under the condition that neither it nor the epoch has changed since it was read, and divides by the number of rows
    /// that it found: without one the division fails, and with it the transaction.
    struct CommandWriting {
        /// The error of a transaction whose order has changed: a division by zero.
        static let changedState = SQLState(rawValue: "22012")

        private let order: StoredOrder
        private let reading: CommandReading

        init(_ order: StoredOrder, _ reading: CommandReading) {
            self.order = order
            self.reading = reading
        }

        /// Returns the statements that store a verdict under its key.
        static func insert(_ verdict: StoredVerdict, of command: OrderStoreCommand) throws -> PostgreSQLStatement {
            """
            INSERT INTO verdicts (person, key, fingerprint, verdict, milliseconds)
            VALUES (\(command.personText), \(command.key), \(command.fingerprint), \(try JSONColumn.encode(verdict)),
                \(verdict.acceptanceTime.milliseconds))
            """
        }

        /// Returns the statements that write the events, the report, the content and the derived state of an order; none if nothing has changed.
        func statements(of decision: OrderDecision, _ command: OrderStoreCommand) throws -> [PostgreSQLStatement] {
            let isNew = order.lifecycle.state == nil
            guard !decision.events.isEmpty || decision.report != nil || decision.isLeaseRenewed else { return [] }
            var statements: [PostgreSQLStatement] = []
            if isNew {
                guard let content = decision.content, case .create(_, let externalID) = command.change else { return [] }
                statements.append(try insertion(of: content, externalID, decision.order))
            } else {
                statements.append(try update(with: decision))
            }
            if let content = decision.content { statements.append(words(of: content)) }
            if !decision.events.isEmpty { statements += try insertion(of: decision.events) }
            if let report = decision.report { statements += try insertion(of: report) }
            if decision.resolvesReports {
                statements.append("UPDATE order_reports SET is_settled = true WHERE order_id = \(order.id) AND NOT is_settled")
            }
            return statements
        }

        // MARK: - The order

        private func insertion(of content: OrderContent, _ externalID: String?, _ state: OrderLifecycle) throws -> PostgreSQLStatement {
            let columns = OrderContent.columns.joined(separator: ", ")
            return """
                WITH written AS (
                    INSERT INTO orders (id, external_id, \(sql: columns), state, fence, event_count)
                    SELECT \(order.id), \(externalID)::text, \(try content.values(), separator: ", "), \(state.stateText), \(state.fence.rawValue),
                        \(state.eventCount)
                    FROM order_metadata WHERE epoch = \(reading.epoch) RETURNING 1)
                SELECT 1 / count(*) FROM written
                """
        }

        private func update(with decision: OrderDecision) throws -> PostgreSQLStatement {
            var assignments: [PostgreSQLStatement] = ["revision = revision + 1"]
            if !decision.events.isEmpty { assignments += Self.assignments(of: decision.order) }
            if decision.events.isEmpty, decision.isLeaseRenewed {
                assignments.append("lease_end = \(decision.order.leaseEnd?.milliseconds)")
            }
            if let content = decision.content {
                assignments += zip(OrderContent.columns, try content.values()).map { "\(sql: $0) = \($1)" }
                assignments.append("is_demo = false")
            }
            if decision.resolvesReports { assignments.append("open_reports = 0") }
            if decision.report != nil { assignments.append("open_reports = open_reports + 1") }
            return """
                WITH written AS (
                    UPDATE orders SET \(assignments, separator: ", ")
                    WHERE id = \(order.id) AND revision = \(reading.revision)
                        AND EXISTS (SELECT 1 FROM order_metadata WHERE epoch = \(reading.epoch)) RETURNING 1)
                SELECT 1 / count(*) FROM written
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
                INSERT INTO order_words (id, words) VALUES (\(order.id), array_to_tsvector(\(array: words)::text[]))
                ON CONFLICT (id) DO UPDATE SET words = excluded.words
                """
        }

        // MARK: - Events and reports

        private func insertion(of events: [OrderEvent]) throws -> [PostgreSQLStatement] {
            var (lifecycle, rows, changes) = (order.lifecycle, [PostgreSQLStatement](), [PostgreSQLStatement]())
            for event in events {
                let holder = lifecycle.state?.hasHolder == true ? lifecycle.holder?.rawValue : nil
                rows.append("(\(order.id), \(event.number), \(try JSONColumn.encode(event)))")
                changes.append(
                    "(\(order.id), \(event.number), NULL, \(holder), \(lifecycle.state == .open), \(event.acceptanceTime.milliseconds))")
                lifecycle.apply(event)
            }
            return [
                "INSERT INTO order_events (order_id, number, event) VALUES \(rows, separator: ", ")", Self.insertion(ofChanges: changes),
            ]
        }

        private func insertion(of report: OrderReport) throws -> [PostgreSQLStatement] {
            let (number, holder) = (order.reports.count + 1, order.lifecycle.holder?.rawValue)
            return [
                "INSERT INTO order_reports (order_id, number, report) VALUES (\(order.id), \(number), \(try JSONColumn.encode(report)))",
                Self.insertion(ofChanges: ["(\(order.id), NULL, \(number), \(holder), false, \(report.acceptanceTime.milliseconds))"]),
            ]
        }

        private static func insertion(ofChanges rows: [PostgreSQLStatement]) -> PostgreSQLStatement {
            "INSERT INTO order_changes (order_id, event, report, previous_holder, was_open, milliseconds) VALUES \(rows, separator: ", ")"
        }
    }

    extension OrderLifecycle {
        fileprivate var stateText: String { (state ?? .open).rawValue }
    }
#endif
