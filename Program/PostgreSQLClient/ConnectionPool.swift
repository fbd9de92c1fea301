#if PostgreSQL
    import Synchronization

    /// A bounded set of connections. Requests wait in the order of their arrival.
    final class ConnectionPool: Sendable {
        private struct State {
            var idle: [PooledConnection] = []
            var count = 0
            var isShutDown = false
            var lastWaiter = 0
            /// The number of times that a connection was lent.
            var loanCount = 0
            /// The waiting requests in the order of their arrival.
            var waiters: [(id: Int, continuation: CheckedContinuation<PooledConnection, any Error>)] = []
        }

        private let configuration: PostgreSQLConfiguration
        private let state = Mutex(State())

        init(_ configuration: PostgreSQLConfiguration) {
            self.configuration = configuration
        }

        /// Lends a connection to some work.
        func withConnection<Value: Sendable>(_ work: (PooledConnection) async throws -> Value) async throws -> Value {
            let connection = try await acquire()
            state.withLock { $0.loanCount += 1 }
            defer { release(connection) }
            return try await work(connection)
        }

        var loanCount: Int { state.withLock(\.loanCount) }

        private func acquire() async throws -> PooledConnection {
            let id = state.withLock { state in
                state.lastWaiter += 1
                return state.lastWaiter
            }
            let timer = Task { [limit = configuration.acquisitionLimit] in
                try await Task.sleep(for: limit)
                self.fail(id, .poolExhausted)
            }
            defer { timer.cancel() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { enqueue($0, id) }
            } onCancel: {
                fail(id, CancellationError())
            }
        }

        private func enqueue(_ continuation: CheckedContinuation<PooledConnection, any Error>, _ id: Int) {
            let result = state.withLock { state -> Result<PooledConnection, any Error>? in
                if state.isShutDown { return .failure(PostgreSQLError.shutDown) }
                if Task.isCancelled { return .failure(CancellationError()) }
                // The most recently used connection is the most likely to be alive.
                if let connection = state.idle.popLast() { return .success(connection) }
                if state.count < configuration.connectionLimit {
                    state.count += 1
                    return .success(PooledConnection(configuration, number: state.count))
                }
                state.waiters.append((id, continuation))
                return nil
            }
            if let result { continuation.resume(with: result) }
        }

        private func fail(_ id: Int, _ error: PostgreSQLError) { fail(id, error as any Error) }

        private func fail(_ id: Int, _ error: any Error) {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: error)
        }

        private func release(_ connection: PooledConnection) {
            let waiter = state.withLock { state -> CheckedContinuation<PooledConnection, any Error>? in
                if !state.waiters.isEmpty { return state.waiters.removeFirst().continuation }
                state.idle.append(connection)
                return nil
            }
            waiter?.resume(returning: connection)
        }

        /// Refuses further requests, and closes the connections that are not in use.
        func shutDown() async {
            let (idle, waiters) = state.withLock { state in
                state.isShutDown = true
                defer { (state.idle, state.waiters) = ([], []) }
                return (state.idle, state.waiters)
            }
            for waiter in waiters { waiter.continuation.resume(throwing: PostgreSQLError.shutDown) }
            for connection in idle { await connection.close() }
        }
    }
#endif
