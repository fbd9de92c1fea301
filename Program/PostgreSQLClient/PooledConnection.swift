#if PostgreSQL
    import Dispatch
    import Synchronization

    /// A place of the pool: a thread of its own, and the connection that is opened there when it is needed.
    ///
    /// `Docs/Decisions` says why a connection has a thread rather than an event loop.
    final class PooledConnection: Sendable {
        private let queue: DispatchQueue
        /// Cancels statements one at a time: libpq blocks as long as the server does not answer.
        private let cancellations: DispatchQueue
        private let configuration: PostgreSQLConfiguration
        private let status: PoolStatus
        private let isAwaitingAnswer = Atomic(false)
        // Proof: only work on the serial queue uses it.
        nonisolated(unsafe) private var connection: Connection?

        init(_ configuration: PostgreSQLConfiguration, number: Int, _ status: PoolStatus = PoolStatus()) {
            self.configuration = configuration
            self.status = status
            queue = DispatchQueue(label: "lading.postgresql.\(number)")
            cancellations = DispatchQueue(label: "lading.postgresql.\(number).cancellations")
        }

        /// Executes statements in one transaction.
        ///
        /// A cancelled task cancels a statement that reads, and waits for its end; statements that write are never cancelled, because a cancelled commit may
        /// have been stored.
        ///
        /// - Parameters:
        ///   - limit: The maximum time of each statement; nil for that of the configuration.
        ///   - continuesTransaction: Whether statements that read belong to a transaction that was begun before; they fail if it has ended.
        func execute(
            _ statements: [PostgreSQLStatement], effect: Connection.Effect, limit: Duration? = nil, continuesTransaction: Bool = false
        ) async throws -> [PostgreSQLRows] {
            let limit = limit ?? configuration.statementLimit
            status.addRoundTrip()
            guard effect == .read else {
                return try await run { connection in try connection.execute(statements, effect: effect, limit: limit) }
            }
            let request = CancellableRequest()
            return try await withTaskCancellationHandler {
                try await run { connection in
                    guard !continuesTransaction || connection.isInTransaction else {
                        throw PostgreSQLError.interrupted("the transaction has ended")
                    }
                    return try request.run(with: connection.cancellation) {
                        try connection.execute(statements, effect: effect, limit: limit)
                    }
                }
            } onCancel: {
                self.cancellations.async { request.cancel() }
            }
        }

        /// Executes statements that read, and then those that a closure decides on, in one change of threads. Neither is cancelled with the task.
        func write<Decision: Sendable>(
            after reads: [PostgreSQLStatement],
            _ decide: @escaping @Sendable ([PostgreSQLRows]) throws -> (decision: Decision, statements: [PostgreSQLStatement])
        ) async throws -> (decision: Decision, rows: [PostgreSQLRows]) {
            try await run { [limit = configuration.statementLimit, status] connection in
                status.addRoundTrip()
                let (decision, statements) = try decide(connection.execute(reads, effect: .read, limit: limit))
                guard !statements.isEmpty else { return (decision, []) }
                status.addRoundTrip()
                return (decision, try connection.execute(statements, effect: .write, limit: limit))
            }
        }

        /// Runs work on the thread of the connection. After an error other than a rejection the connection is closed, and the next work opens one.
        ///
        /// - Throws: The errors of the work; `PostgreSQLError.outcomeUnknown` at once for a write that the server has not answered in time.
        func run<Value: Sendable>(_ work: @escaping @Sendable (inout Connection) throws -> Value) async throws -> Value {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(with: Result { try self.perform(work) })
                    self.awaitAnswer()
                }
            }
        }

        private func perform<Value>(_ work: (inout Connection) throws -> Value) throws -> Value {
            var current = try usableConnection()
            do {
                let value = try work(&current)
                connection = consume current
                return value
            } catch is UnansweredWrite {
                connection = consume current
                isAwaitingAnswer.store(true, ordering: .releasing)
                throw PostgreSQLError.outcomeUnknown("the database did not answer in time")
            } catch let error as PostgreSQLError {
                if case .refused = error { connection = consume current }
                throw error
            } catch {
                connection = consume current
                throw error
            }
        }

        /// Waits for the answer to a write that has timed out, and closes the connection. A commit is never cancelled, and while it waits for a
        /// standby the server does not notice a closed connection.
        private func awaitAnswer() {
            guard isAwaitingAnswer.load(ordering: .acquiring) else { return }
            if let current = connection.take() { current.awaitAnswer { !status.isShutDown } }
            isAwaitingAnswer.store(false, ordering: .releasing)
        }

        /// Calls a closure at once, or when the answer to a write that has timed out is there.
        func whenAnswered(_ action: @escaping @Sendable () -> Void) {
            if isAwaitingAnswer.load(ordering: .acquiring) { queue.async { action() } } else { action() }
        }

        private func usableConnection() throws -> Connection {
            if let current = connection.take(), current.isUsable { return current }
            return try Connection(configuration)
        }

        /// Closes the connection once its work has ended.
        func close() async {
            await withCheckedContinuation { continuation in
                queue.async {
                    self.connection = nil
                    continuation.resume()
                }
            }
        }
    }

    /// The number of round trips of the connections of a pool, and whether it was shut down.
    final class PoolStatus: Sendable {
        private let roundTrips = Atomic(0)
        private let shutDownFlag = Atomic(false)

        var roundTripCount: Int { roundTrips.load(ordering: .relaxed) }
        var isShutDown: Bool { shutDownFlag.load(ordering: .relaxed) }

        func addRoundTrip() { roundTrips.add(1, ordering: .relaxed) }

        func shutDown() { shutDownFlag.store(true, ordering: .relaxed) }
    }
#endif
