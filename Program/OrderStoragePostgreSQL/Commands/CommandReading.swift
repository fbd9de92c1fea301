#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// All that a command depends on, read in one snapshot.
    struct CommandReading {
        /// The stored verdict of the command's key.
        let verdict: (fingerprint: String, verdict: StoredVerdict)?
        /// The order; a new one for a creation, nil if there is none.
        let order: StoredOrder?
        /// The number of changes of the order.
        let revision: Int
        let epoch: String
        /// The time of the database.
        let time: Timestamp
        /// The order that has the external id of a creation.
        let orderWithExternalID: Int?
    }

    extension CommandReading {
        /// The time of the database, in milliseconds since 1970.
        static let databaseTime = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

        /// Returns the statement that reads the order, and what a creation depends on.
        static func statement(for command: OrderStoreCommand) -> PostgreSQLStatement {
            var externalID: String?
            if case .create(_, let id) = command.change { externalID = id }
            let isCourier = command.sender.role == .courier
            let person = command.personText
            // The identity of a new order is taken here, because its verdict names it; one that is not used is missing from then on.
            let id: PostgreSQLStatement = command.order.map { "\($0)::bigint" } ?? "nextval(pg_get_serial_sequence('orders', 'id'))"
            return """
                SELECT epoch, fence_floor, \(sql: databaseTime) AS time, target.id, revision, lease_end, fingerprint, verdict,
                    (SELECT id FROM orders WHERE external_id = \(externalID)::text) AS other,
                    (SELECT json_agg(event::json ORDER BY number) FROM order_events WHERE order_id = target.id) AS events,
                    (SELECT json_agg(report::json ORDER BY number) FROM order_reports WHERE order_id = target.id) AS reports,
                    (SELECT json_agg(number) FROM order_reports WHERE order_id = target.id AND is_settled) AS settled_reports,
                    (SELECT json_agg(digest) FROM proofs
                        WHERE order_id = target.id AND (NOT \(isCourier)::boolean OR person = \(person)::text)) AS proofs
                FROM order_metadata CROSS JOIN (SELECT \(id) AS id) AS target
                    LEFT JOIN orders ON orders.id = target.id
                    LEFT JOIN verdicts ON verdicts.person = \(person)::text AND verdicts.key = \(command.key)::text
                """
        }

        /// - Parameter rows: Those of the statement, of which there is one.
        init(_ rows: PostgreSQLRows, isCreation: Bool, _ limits: LifecycleLimits) throws {
            guard let row = rows.first else { throw PostgreSQLError.unexpectedValue(column: "epoch") }
            let stored: String? = try row.optional("verdict")
            verdict = try stored.map { (try row.value("fingerprint"), try JSONColumn.decode($0)) }
            epoch = try row.value("epoch")
            time = Timestamp(milliseconds: try row.value("time"))
            revision = try row.optional("revision") ?? 0
            orderWithExternalID = try row.optional("other")
            order = revision > 0 || isCreation ? try StoredOrder(row, limits) : nil
        }
    }

    extension StoredOrder {
        fileprivate init(_ row: PostgreSQLRow, _ limits: LifecycleLimits) throws {
            func list<Element: Decodable>(_ column: String) throws -> [Element] {
                let text: String? = try row.optional(column)
                return try text.map { try JSONColumn.decode($0) } ?? []
            }
            let leaseEnd: Int64? = try row.optional("lease_end")
            var lifecycle = OrderLifecycle(
                events: try list("events"), leaseEnd: leaseEnd.map(Timestamp.init(milliseconds:)), limits: limits)
            lifecycle.beginEpoch(at: Fence(rawValue: try row.value("fence_floor")))
            let (settled, digests): ([Int], [String]) = (try list("settled_reports"), try list("proofs"))
            self.init(
                id: try row.value("id"), lifecycle: lifecycle, reports: try list("reports"),
                settledReports: Set(settled), proofs: Set(digests.compactMap(ProofDigest.init(rawValue:))))
        }
    }

    extension OrderStoreCommand {
        /// The person for the key; the server's commands have none.
        var personText: String { sender.person?.rawValue ?? "" }
    }
#endif
