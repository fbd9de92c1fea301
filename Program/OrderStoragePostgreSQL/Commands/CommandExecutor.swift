#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// A command with the time of its caller.
    struct TimedCommand: Sendable {
        let command: OrderStoreCommand
        let time: Timestamp
    }

    /// The result of an attempt to execute a command.
    enum CommandOutcome: Sendable {
        /// It was evaluated, and its effects are stored.
        case evaluated(EvaluatedCommand)
        /// Its key has a verdict.
        case known(StoredVerdict, fingerprint: String)
        /// Another command has changed the order meanwhile, or has used the key; nothing is stored.
        case conflict
    }

    /// Reads the orders of commands, evaluates the commands, and stores their effects: two round trips for any number of commands.
    struct CommandExecutor: Sendable {
        /// Limits the time for which a transaction of several commands waits for a lock.
        private static let sharedLockLimit: PostgreSQLStatement = "SELECT set_config('lock_timeout', '250ms', true)"

        let client: PostgreSQLClient
        let limits: LifecycleLimits
        /// Whether the time of the database replaces that of the callers.
        let usesDatabaseTime: Bool

        /// Executes commands with one transaction, of which each has its own outcome.
        ///
        /// - Returns: The outcomes; nil if each command is to be executed alone, and nothing is stored: the database has refused the transaction because
        ///   of one command, such as the second one with a key, or somebody has locked one of the orders.
        func execute(_ commands: [TimedCommand]) async -> [Result<CommandOutcome, any Error>]? {
            do {
                return try await executeTogether(commands)
            } catch PostgreSQLError.refused(let rejection) where commands.count > 1 && rejection.concernsOneCommand {
                return nil
            } catch PostgreSQLError.refused(let rejection) where rejection.isConflict {
                return [.success(.conflict)]
            } catch {
                return commands.map { _ in .failure(error) }
            }
        }

        /// The evaluation of a command.
        private struct Attempt {
            let outcome: Result<CommandOutcome, any Error>
            /// The index of the statement that stores the outcome; nil if there is nothing to store.
            let statementIndex: Int?
        }

        private func executeTogether(_ commands: [TimedCommand]) async throws -> [Result<CommandOutcome, any Error>] {
            let reads = commands.map { CommandReading.statement(for: $0.command) }
            let limits = commands.count > 1 ? [Self.sharedLockLimit] : []
            let (attempts, rows) = try await client.write(after: reads) { rows in
                var statements: [PostgreSQLStatement] = limits
                let attempts = zip(commands, rows).map { attempt($0, on: $1, &statements) }
                return (attempts, statements.count > limits.count ? statements : [])
            }
            return attempts.map { attempt in
                guard let index = attempt.statementIndex else { return attempt.outcome }
                return Result { try rows[index].first?.value("written", as: Int.self) == 1 ? attempt.outcome.get() : .conflict }
            }
        }

        /// Evaluates a command, and adds the statement that stores its outcome.
        private func attempt(_ command: TimedCommand, on rows: PostgreSQLRows, _ statements: inout [PostgreSQLStatement]) -> Attempt {
            let outcome = Result { try evaluate(command, on: rows) }
            guard case .success(.evaluated(let evaluated)) = outcome, let statement = evaluated.statement else {
                return Attempt(outcome: outcome, statementIndex: nil)
            }
            statements.append(statement)
            return Attempt(outcome: outcome, statementIndex: statements.count - 1)
        }

        private func evaluate(_ command: TimedCommand, on rows: PostgreSQLRows) throws -> CommandOutcome {
            let reading = try CommandReading(rows, isCreation: command.command.order == nil, limits)
            if let known = reading.verdict { return .known(known.verdict, fingerprint: known.fingerprint) }
            let now = usesDatabaseTime ? reading.time : command.time
            return .evaluated(try EvaluatedCommand.evaluation(of: command.command, on: reading, at: now))
        }
    }

    extension PostgreSQLError.Rejection {
        /// Whether other commands of the transaction may succeed at once.
        fileprivate var concernsOneCommand: Bool { state == .lockNotAvailable || !state.isTemporary }

        /// Whether another command has come first.
        var isConflict: Bool {
            state == .uniqueViolation
                && ["verdicts_pkey", "orders_external_id_key", "order_events_pkey", "orders_pkey"].contains(constraint)
        }
    }
#endif
