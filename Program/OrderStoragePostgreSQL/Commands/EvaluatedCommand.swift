#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// The verdict of a command, and the statement that stores it with its effects.
    struct EvaluatedCommand: Sendable {
        let verdict: StoredVerdict
        /// Nil if there is nothing to store.
        let statement: PostgreSQLStatement?

        /// Evaluates a command on the order as it was read.
        static func evaluation(
            of command: OrderStoreCommand, on reading: CommandReading, at now: Timestamp
        ) throws -> EvaluatedCommand {
            func withoutOrder(_ outcome: StoredVerdict.Outcome) throws -> EvaluatedCommand {
                try withoutChange(StoredVerdict(outcome, order: nil, state: nil, version: nil, acceptanceTime: now), of: command)
            }
            switch (command.change, reading.orderWithExternalID, reading.order) {
            case (.create(_, externalID: _?), let other?, _): return try withoutOrder(.externalIDTaken(order: other))
            case (_, _, let order?):
                let decision = order.decision(on: command, at: now)
                let stored = decision.verdict.isStored(for: command) ? decision.verdict : nil
                guard let statement = try CommandWriting(order, reading).statement(for: decision, command, verdict: stored) else {
                    return try withoutChange(decision.verdict, of: command)
                }
                return EvaluatedCommand(verdict: decision.verdict, statement: statement)
            case (_, _, nil): return try withoutOrder(.orderUnknown)
            }
        }

        /// The evaluation of a command that changes no order.
        private static func withoutChange(_ verdict: StoredVerdict, of command: OrderStoreCommand) throws -> EvaluatedCommand {
            let isStored = verdict.isStored(for: command)
            return EvaluatedCommand(verdict: verdict, statement: isStored ? try CommandWriting.statement(for: verdict, of: command) : nil)
        }
    }

    extension StoredVerdict {
        fileprivate func isStored(for command: OrderStoreCommand) -> Bool { isFinal && !command.key.isEmpty }
    }
#endif
