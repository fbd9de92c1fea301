#if PostgreSQL
    import LadingCaching
    package import OrderLifecycle
    package import OrderStorage
    package import PostgreSQLClient

    /// A store of orders in a PostgreSQL database, which any number of programs use together.
    ///
    /// A command reads its order in one statement, decides, and writes with the condition that the order is still the same; otherwise it begins again. So
    /// a command takes two round trips and no lock in between, and the database alone decides between commands that arrive together. Under load
    /// `CommandBatches` executes several commands with these two round trips.
    package struct PostgreSQLOrderStore: OrderStore {
        /// The maximum number of times that a command finds a changed order.
        private static let attemptLimit = 100

        let client: PostgreSQLClient
        let limits: LifecycleLimits
        /// The store of the bytes of new proofs; nil for the database.
        let contents: (any ProofContentStore)?
        /// Whether the time of the database replaces that of the program, whose clock may differ from those of the other programs.
        let usesDatabaseTime: Bool
        let hints: ChangeHints
        private let commands: CommandBatches
        /// The people of recently used tokens. A token that another program has revoked is accepted for a second.
        let tokens = MemoryCache<SecretHash, TokenHolder>(costLimit: 10_000, lifetime: .seconds(1))

        /// - Parameters:
        ///   - client: A client of a database to which `registerMigrations` has been applied.
        ///   - contents: The store of the bytes of new proofs; nil for the database.
        ///   - usesDatabaseTime: Whether leases and retention go by the clock of the database, instead of the time that callers pass.
        package init(
            _ client: PostgreSQLClient, limits: LifecycleLimits = LifecycleLimits(), contents: (any ProofContentStore)? = nil,
            usesDatabaseTime: Bool = false
        ) {
            self.usesDatabaseTime = usesDatabaseTime
            self.client = client
            self.limits = limits
            self.contents = contents
            hints = ChangeHints(client)
            commands = CommandBatches(CommandExecutor(client: client, limits: limits, usesDatabaseTime: usesDatabaseTime))
        }
    }

    // MARK: - Commands

    extension PostgreSQLOrderStore {
        package func perform(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
            for _ in 1...Self.attemptLimit {
                switch try await commands.submit(TimedCommand(command: command, time: now)) {
                case .evaluated(let evaluated):
                    if evaluated.statement != nil { hints.send() }
                    return CommandResult(evaluated.verdict)
                case .known(let verdict, let fingerprint):
                    guard fingerprint == command.fingerprint else { throw OrderStoreError.keyReused }
                    try await confirm(command.key, of: command.personText)
                    return CommandResult(verdict, isRepeated: true)
                case .conflict: continue
                }
            }
            throw PostgreSQLError.outcomeUnknown("the order changed during each of \(Self.attemptLimit) attempts")
        }

        /// Waits until the verdict of a key is replicated as a commit is: a read shows it also while its own commit still waits for a standby, and the
        /// verdict would be lost with the database.
        private func confirm(_ key: String, of person: String) async throws {
            try await client.write("UPDATE verdicts SET milliseconds = milliseconds WHERE person = \(person) AND key = \(key)")
        }

        /// Returns the time of the database, or the passed one.
        func time(_ now: Timestamp) async throws -> Timestamp {
            guard usesDatabaseTime else { return now }
            let row = try await client.read("SELECT \(sql: CommandReading.databaseTime) AS time", for: .command).first
            return try row.map { Timestamp(milliseconds: try $0.value("time")) } ?? now
        }

        /// Returns the time of the database as a part of a statement, or the passed one, in milliseconds since 1970.
        func milliseconds(_ time: Timestamp) -> PostgreSQLStatement {
            usesDatabaseTime ? PostgreSQLStatement(sql: CommandReading.databaseTime) : "\(time.milliseconds)::bigint"
        }

        package func verdict(forKey key: String, of person: PersonID) async throws -> StoredVerdict? {
            let rows = try await client.read(
                "SELECT verdict FROM verdicts WHERE person = \(person.rawValue) AND key = \(key)", for: .command)
            guard let row = rows.first else { return nil }
            try await confirm(key, of: person.rawValue)
            return try JSONColumn.decode(row.value("verdict"))
        }

        /// Ends leases that are over. Of programs that do so at once one succeeds with each order, and the others find it open.
        ///
        /// An order that cannot be read does not keep the later ones from being opened; its error is thrown at the end. An error that concerns the
        /// whole database, and a cancelled task, end the loop.
        package func expireLeases(at now: Timestamp, limit: Int) async throws -> Int {
            let now = try await time(now)
            let rows = try await client.read(
                """
                SELECT id FROM orders WHERE state = 'claimed' AND lease_end <= \(now.milliseconds) ORDER BY lease_end LIMIT \(limit)
                """, for: .command)
            var (count, failure): (Int, (any Error)?) = (0, nil)
            for row in rows {
                try Task.checkCancellation()
                do {
                    if try await expireLease(ofOrder: row.value("id"), at: now) { count += 1 }
                } catch let error as PostgreSQLError where error.concernsWholeDatabase {
                    throw error
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            return count
        }

        private func expireLease(ofOrder id: Int, at now: Timestamp) async throws -> Bool {
            let sender = OrderLifecycle.Sender(nil, role: .server, actionTime: now)
            let command = OrderStoreCommand(.lifecycle(order: id, .expire), from: sender, key: "", fingerprint: "")
            if case .accepted(let events) = try await perform(command, at: now).verdict.outcome { return !events.isEmpty }
            return false
        }
    }
#endif
