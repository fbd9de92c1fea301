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
        let client: PostgreSQLClient
        let limits: LifecycleLimits
        /// Whether the time of the database replaces that of the callers.
        let usesDatabaseTime: Bool

        /// Executes commands with one transaction, of which each has its own outcome.
        ///
        /// A transaction that the database refuses because of one command, such as the second one with a key, is repeated command by command.
        func execute(_ commands: [TimedCommand]) async -> [Result<CommandOutcome, any Error>] {
            do {
                return try await executeTogether(commands)
            } catch PostgreSQLError.refused(let rejection) where commands.count == 1 && rejection.isConflict {
                return [.success(.conflict)]
            } catch PostgreSQLError.refused(let rejection) where commands.count > 1 && !rejection.state.isTemporary {
                var outcomes: [Result<CommandOutcome, any Error>] = []
                for command in commands { outcomes += await execute([command]) }
                return outcomes
            } catch {
                return commands.map { _ in .failure(error) }
            }
        }

        private func executeTogether(_ commands: [TimedCommand]) async throws -> [Result<CommandOutcome, any Error>] {
            let (outcomes, rows) = try await client.write(after: commands.map { CommandReading.statement(for: $0.command) }) { rows in
                let outcomes = zip(commands, rows).map { command, rows in Result { try evaluate(command, on: rows) } }
                return (outcomes, outcomes.compactMap(\.statement))
            }
            var results = rows[...]
            return outcomes.map { outcome in
                guard outcome.statement != nil, let result = results.popFirst() else { return outcome }
                return Result { try result.first?.value("written", as: Int.self) == 1 ? outcome.get() : .conflict }
            }
        }

        private func evaluate(_ command: TimedCommand, on rows: PostgreSQLRows) throws -> CommandOutcome {
            let reading = try CommandReading(rows, isCreation: command.command.order == nil, limits)
            if let known = reading.verdict { return .known(known.verdict, fingerprint: known.fingerprint) }
            return .evaluated(try EvaluatedCommand(command.command, on: reading, at: usesDatabaseTime ? reading.time : command.time))
        }
    }

    extension Result<CommandOutcome, any Error> {
        /// The statement that stores the outcome; nil if there is nothing to store.
        fileprivate var statement: PostgreSQLStatement? {
            if case .success(.evaluated(let command)) = self { command.statement } else { nil }
        }
    }

    extension PostgreSQLError.Rejection {
        /// Whether another command has come first.
        var isConflict: Bool {
            state == .uniqueViolation
                && ["verdicts_pkey", "orders_external_id_key", "order_events_pkey", "orders_pkey"].contains(constraint)
        }
    }
#endif
