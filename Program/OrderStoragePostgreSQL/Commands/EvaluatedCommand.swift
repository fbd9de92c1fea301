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
        init(_ command: OrderStoreCommand, on reading: CommandReading, at now: Timestamp) throws {
            if case .create(_, let externalID) = command.change, let other = reading.orderWithExternalID, externalID != nil {
                try self.init(.externalIDTaken(order: other), of: command, at: now)
            } else if let order = reading.order {
                let decision = order.decision(on: command, at: now)
                let stored = decision.verdict.isStored(for: command) ? decision.verdict : nil
                if let statement = try CommandWriting(order, reading).statement(for: decision, command, verdict: stored) {
                    self.init(verdict: decision.verdict, statement: statement)
                } else {
                    try self.init(decision.verdict, of: command)
                }
            } else {
                try self.init(.orderUnknown, of: command, at: now)
            }
        }

        private init(_ outcome: StoredVerdict.Outcome, of command: OrderStoreCommand, at now: Timestamp) throws {
            try self.init(StoredVerdict(outcome, order: nil, state: nil, version: nil, acceptanceTime: now), of: command)
        }

        /// The evaluation of a command that changes no order.
        private init(_ verdict: StoredVerdict, of command: OrderStoreCommand) throws {
            let isStored = verdict.isStored(for: command)
            self.init(verdict: verdict, statement: isStored ? try CommandWriting.statement(for: verdict, of: command) : nil)
        }

        private init(verdict: StoredVerdict, statement: PostgreSQLStatement?) {
            self.verdict = verdict
            self.statement = statement
        }
    }

    extension StoredVerdict {
        fileprivate func isStored(for command: OrderStoreCommand) -> Bool { isFinal && !command.key.isEmpty }
    }
#endif
