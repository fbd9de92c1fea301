#if PostgreSQL
    import Dispatch

    /// A place of the pool: a thread of its own, and the connection that is opened there when it is needed.
    ///
    /// `Docs/Decisions` says why a connection has a thread rather than an event loop.
    final class PooledConnection: Sendable {
        private let queue: DispatchQueue
        private let configuration: PostgreSQLConfiguration
        // Proof: only work on the serial queue uses it.
        nonisolated(unsafe) private var connection: Connection?

        init(_ configuration: PostgreSQLConfiguration, number: Int) {
            self.configuration = configuration
            queue = DispatchQueue(label: "lading.postgresql.\(number)")
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
                DispatchQueue.global().async { request.cancel() }
            }
        }

        /// Runs work on the thread of the connection. After an error other than a rejection the connection is closed, and the next work opens one.
        func run<Value: Sendable>(_ work: @escaping @Sendable (inout Connection) throws -> Value) async throws -> Value {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try self.perform(work) }) }
            }
        }

        private func perform<Value>(_ work: (inout Connection) throws -> Value) throws -> Value {
            var current = try usableConnection()
            do {
                let value = try work(&current)
                connection = consume current
                return value
            } catch let error as PostgreSQLError {
                if case .refused = error { connection = consume current }
                throw error
            } catch let cancellation as CancellationError {
                connection = consume current
                throw cancellation
            }
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
#endif
