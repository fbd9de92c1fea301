#if PostgreSQL
    import LadingCaching
    package import OrderLifecycle
    package import OrderStorage
    package import PostgreSQLClient

    /// A store of orders in a PostgreSQL database, which any number of programs use together.
    ///
    /// A command reads its order in one statement, decides, and writes with the condition that the order is still the same; otherwise it begins again. So
    /// a command takes two round trips and no lock in between, and the database alone decides between commands that arrive together.
    package struct PostgreSQLOrderStore: OrderStore {
        /// The maximum number of times that a command finds a changed order.
        private static let attemptLimit = 100

        let client: PostgreSQLClient
        let limits: LifecycleLimits
        let hints: ChangeHints
        /// The people of recently used tokens. A token that another program has revoked is accepted for a second.
        let tokens = MemoryCache<SecretHash, TokenHolder>(costLimit: 10_000, lifetime: .seconds(1))

        /// - Parameter client: A client of a database to which `registerMigrations` has been applied.
        package init(_ client: PostgreSQLClient, limits: LifecycleLimits = LifecycleLimits()) {
            self.client = client
            self.limits = limits
            hints = ChangeHints(client)
        }
    }

    // MARK: - Commands

    extension PostgreSQLOrderStore {
        package func perform(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
            for _ in 1...Self.attemptLimit {
                let reading = try await read(command)
                if let known = reading.verdict {
                    guard known.fingerprint == command.fingerprint else { throw OrderStoreError.keyReused }
                    return CommandResult(known.verdict, isRepeated: true)
                }
                let planned = try decide(command, on: reading, at: now)
                if try await write(planned.statements) { return CommandResult(planned.verdict) }
            }
            throw PostgreSQLError.outcomeUnknown("the order changed during each of \(Self.attemptLimit) attempts")
        }

        package func verdict(forKey key: String, of person: PersonID) async throws -> StoredVerdict? {
            let rows = try await client.read("SELECT verdict FROM verdicts WHERE person = \(person.rawValue) AND key = \(key)")
            return try rows.first.map { try JSONColumn.decode($0.value("verdict")) }
        }

        /// Ends leases that are over. Of programs that do so at once one succeeds with each order, and the others find it open.
        package func expireLeases(at now: Timestamp, limit: Int) async throws -> Int {
            let rows = try await client.read(
                """
                SELECT id FROM orders WHERE state = 'claimed' AND lease_end <= \(now.milliseconds) ORDER BY lease_end LIMIT \(limit)
                """)
            var count = 0
            for row in rows {
                let sender = OrderLifecycle.Sender(nil, role: .server, actionTime: now)
                let command = OrderStoreCommand(.lifecycle(order: try row.value("id"), .expire), from: sender, key: "", fingerprint: "")
                if case .accepted(let events) = try await perform(command, at: now).verdict.outcome, !events.isEmpty { count += 1 }
            }
            return count
        }

        /// The statements of a decided command, and its verdict.
        struct PlannedCommand {
            let verdict: StoredVerdict
            let statements: [PostgreSQLStatement]
        }

        /// Decides a command on the order as it was read.
        func decide(_ command: OrderStoreCommand, on reading: CommandReading, at now: Timestamp) throws -> PlannedCommand {
            let (verdict, changes) = try decision(command, on: reading, at: now)
            var statements = changes
            if verdict.isFinal, !command.key.isEmpty { statements.append(try CommandWriting.insert(verdict, of: command)) }
            return PlannedCommand(verdict: verdict, statements: statements)
        }

        private func decision(
            _ command: OrderStoreCommand, on reading: CommandReading, at now: Timestamp
        ) throws -> (StoredVerdict, [PostgreSQLStatement]) {
            if case .create(_, let externalID) = command.change, let other = reading.orderWithExternalID, externalID != nil {
                return (StoredVerdict(.externalIDTaken(order: other), order: nil, state: nil, version: nil, acceptanceTime: now), [])
            }
            guard let order = reading.order else {
                return (StoredVerdict(.orderUnknown, order: nil, state: nil, version: nil, acceptanceTime: now), [])
            }
            let decision = order.decision(on: command, at: now)
            return (decision.verdict, try CommandWriting(order, reading).statements(of: decision, command))
        }

        /// Writes what was decided on an order that has not changed since.
        ///
        /// - Returns: Whether it was written. Otherwise another command has changed the order, or has used the key.
        private func write(_ statements: [PostgreSQLStatement]) async throws -> Bool {
            guard !statements.isEmpty else { return true }
            do {
                try await client.write(statements)
                hints.send()
                return true
            } catch PostgreSQLError.refused(let refusal) where refusal.isConflict {
                return false
            }
        }
    }

    extension PostgreSQLError.Refusal {
        /// Whether another command has come first.
        var isConflict: Bool {
            state == CommandWriting.changedState
                || state == .uniqueViolation
                    && ["verdicts_pkey", "orders_external_id_key", "order_events_pkey", "orders_pkey"].contains(constraint)
        }
    }
#endif
