#if PostgreSQL
    /// A database of PostgreSQL 13 or later, over a bounded pool of connections.
    ///
    /// Each call is one transaction and one round trip. Queries leave a quarter of the connections, at least one of several, to other requests:
    /// a change never waits for lists and exports. So do changes, which may wait for a standby: reads go on. The few short reads on which
    /// changes depend may use all connections.
    package struct PostgreSQLClient: Sendable {
        /// The maximum number of attempts at a statement that had no effect.
        private static let attemptLimit = 5

        /// The maximum time after which a listener notices that its task was cancelled.
        private static let listeningLimit = Duration.milliseconds(500)

        /// The maximum time of statements without a limit of their own.
        static let longestLimit = Duration.seconds(86_400)

        package let configuration: PostgreSQLConfiguration
        private let pool: ConnectionPool

        package init(_ configuration: PostgreSQLConfiguration) {
            self.configuration = configuration
            pool = ConnectionPool(configuration)
        }

        /// The number of round trips so far, those that were repeated included.
        package var roundTripCount: Int { pool.status.roundTripCount }

        /// Returns the rows of a statement that changes nothing. It is repeated when its connection is lost, and cancelled with the task.
        ///
        /// - Parameter purpose: The use of the rows; for commands the statement must be short.
        /// - Throws: `PostgreSQLError`, `CancellationError`.
        package func read(_ statement: PostgreSQLStatement, for purpose: RequestPurpose = .query) async throws -> PostgreSQLRows {
            try await read([statement], for: purpose)[0]
        }

        /// Returns the rows of statements that change nothing, in one snapshot.
        ///
        /// - Throws: `PostgreSQLError`, `CancellationError`.
        package func read(_ statements: [PostgreSQLStatement], for purpose: RequestPurpose = .query) async throws -> [PostgreSQLRows] {
            let block = statements.count > 1 ? Block(statements, begin: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY") : nil
            let executed = block?.statements ?? statements
            let rows = try await repeatingIfPossible {
                do {
                    return try await pool.withConnection(for: purpose) { try await $0.execute(executed, effect: .read) }
                } catch PostgreSQLError.refused(let rejection) where rejection.state == .queryCanceled {
                    try Task.checkCancellation()
                    throw PostgreSQLError.refused(rejection)
                }
            }
            return block?.results(in: rows) ?? rows
        }

        /// Executes a statement that changes data. It is repeated only if the server has refused it for the sake of another transaction.
        ///
        /// - Throws: `PostgreSQLError`; `outcomeUnknown` if it may have taken effect.
        @discardableResult
        package func write(_ statement: PostgreSQLStatement) async throws -> PostgreSQLRows { try await write([statement])[0] }

        /// Executes statements that change data in one transaction.
        ///
        /// - Throws: `PostgreSQLError`; `outcomeUnknown` if they may have taken effect.
        @discardableResult
        package func write(_ statements: [PostgreSQLStatement]) async throws -> [PostgreSQLRows] {
            try await repeatingIfPossible {
                try await pool.withConnection(for: .change) { try await $0.execute(statements, effect: .write) }
            }
        }

        /// Reads, and then changes data accordingly, over one connection: two transactions, each of one round trip.
        ///
        /// All of it is repeated if a connection is lost before the change, or if the server has refused it for the sake of another transaction.
        ///
        /// - Parameters:
        ///   - reads: The statements that read.
        ///   - decide: Called on the thread of the connection with the rows of each statement. It returns a decision, and the statements that change data; none to
        ///     change nothing.
        /// - Returns: The last decision, and the rows of each statement that changed data.
        /// - Throws: `PostgreSQLError`; `outcomeUnknown` if the statements may have taken effect; the errors of `decide`, with which nothing is changed.
        package func write<Decision: Sendable>(
            after reads: [PostgreSQLStatement],
            _ decide: @escaping @Sendable ([PostgreSQLRows]) throws -> (decision: Decision, statements: [PostgreSQLStatement])
        ) async throws -> (decision: Decision, rows: [PostgreSQLRows]) {
            try await repeatingIfPossible {
                try await pool.withConnection(for: .change) { try await $0.write(after: reads, decide) }
            }
        }

        /// Executes statements that take as long as they need, such as changes of tables, in one transaction that waits for locks.
        ///
        /// - Throws: `PostgreSQLError`; `outcomeUnknown` if they may have taken effect.
        @discardableResult
        package func writeWithoutLimit(_ statements: [PostgreSQLStatement]) async throws -> [PostgreSQLRows] {
            let limits: [PostgreSQLStatement] = ["SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0"]
            let block = Block(limits + statements, begin: "BEGIN")
            let rows = try await pool.withConnection(for: .change) {
                try await $0.execute(block.statements, effect: .write, limit: Self.longestLimit)
            }
            return Array(block.results(in: rows).dropFirst(limits.count))
        }

        /// Inserts rows by `COPY` in one transaction, which is several times faster than `INSERT`.
        ///
        /// - Parameters:
        ///   - table: The table with its columns: `deliveries (id, key)`.
        ///   - rows: The values of each row, in the order of the columns. They are read on the thread of a connection.
        /// - Throws: `PostgreSQLError`; `outcomeUnknown` if they may have been inserted.
        package func copy(_ rows: some Sequence<[PostgreSQLValue]> & Sendable, into table: String) async throws {
            try await pool.withConnection(for: .change) { connection in
                try await connection.run { [limit = configuration.statementLimit] in
                    try $0.copy("COPY \(table) FROM STDIN", rows.lazy.map(CopyFormat.line), limit: limit)
                }
            }
        }

        /// Runs work while a connection of its own listens to a channel.
        ///
        /// A notification is a hint: it is lost when the connection is, and servers behind some proxies send none.
        ///
        /// - Parameters:
        ///   - channel: The name of the channel, a word of the program.
        ///   - receive: Called with the contents of one or more notifications, and at the beginning with none.
        /// - Throws: `PostgreSQLError` when the connection is lost, `CancellationError`.
        package func listen(to channel: String, receive: @escaping @Sendable ([String]) -> Void) async throws {
            let connection = PooledConnection(configuration, number: 0)
            _ = try await connection.execute([PostgreSQLStatement(sql: "LISTEN \(channel)")], effect: .read)
            receive([])
            while true {
                try Task.checkCancellation()
                let contents = try await connection.run { try $0.notifications(limit: Self.listeningLimit) }
                if !contents.isEmpty { receive(contents) }
            }
        }

        /// Repeats what had no effect and may succeed then.
        private func repeatingIfPossible<Value>(_ work: () async throws -> Value) async throws -> Value {
            for _ in 1..<Self.attemptLimit {
                do { return try await work() } catch let error as PostgreSQLError where error.isRepeatable {}
            }
            return try await work()
        }

        /// Closes the connections; later calls throw `PostgreSQLError.shutDown`.
        package func shutDown() async { await pool.shutDown() }
    }

    /// Statements between those that begin and end their transaction.
    private struct Block {
        let statements: [PostgreSQLStatement]

        init(_ statements: [PostgreSQLStatement], begin: PostgreSQLStatement) {
            self.statements = [begin] + statements + ["COMMIT"]
        }

        func results(in rows: [PostgreSQLRows]) -> [PostgreSQLRows] { Array(rows.dropFirst().dropLast()) }
    }
#endif
