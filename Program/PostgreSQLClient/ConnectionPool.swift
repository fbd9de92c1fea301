#if PostgreSQL
    import Synchronization

    /// A bounded set of connections, some of which are reserved: `ConnectionQueue` decides.
    final class ConnectionPool: Sendable {
        private struct State {
            var idle: [PooledConnection] = []
            var count = 0
            var isShutDown = false
            var lastWaiter = 0
            var queue: ConnectionQueue
            /// The requests that wait in the queue.
            var waiters: [Int: CheckedContinuation<PooledConnection, any Error>] = [:]

            /// Returns the connection of a request that has begun to run.
            mutating func nextConnection(_ configuration: PostgreSQLConfiguration, _ status: PoolStatus) -> PooledConnection {
                // The most recently used connection is the most likely to be alive.
                if let connection = idle.popLast() { return connection }
                count += 1
                return PooledConnection(configuration, number: count, status)
            }
        }

        private let configuration: PostgreSQLConfiguration
        let status = PoolStatus()
        private let state: Mutex<State>

        init(_ configuration: PostgreSQLConfiguration) {
            self.configuration = configuration
            state = Mutex(State(queue: ConnectionQueue(limit: configuration.connectionLimit)))
        }

        /// Lends a connection to some work.
        func withConnection<Value: Sendable>(
            for purpose: RequestPurpose, _ work: (PooledConnection) async throws -> Value
        ) async throws -> Value {
            let connection = if let free = try freeConnection(for: purpose) { free } else { try await acquire(for: purpose) }
            defer { release(connection, purpose) }
            return try await work(connection)
        }

        /// Returns a connection at once; nil if the request has to wait for one.
        private func freeConnection(for purpose: RequestPurpose) throws -> PooledConnection? {
            try Task.checkCancellation()
            return try state.withLock { state in
                if state.isShutDown { throw PostgreSQLError.shutDown }
                return state.queue.startIfPossible(purpose) ? state.nextConnection(configuration, status) : nil
            }
        }

        private func acquire(for purpose: RequestPurpose) async throws -> PooledConnection {
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
                try await withCheckedThrowingContinuation { enqueue($0, id, purpose) }
            } onCancel: {
                fail(id, CancellationError())
            }
        }

        private func enqueue(
            _ continuation: CheckedContinuation<PooledConnection, any Error>, _ id: Int, _ purpose: RequestPurpose
        ) {
            let result = state.withLock { state -> Result<PooledConnection, any Error>? in
                if state.isShutDown { return .failure(PostgreSQLError.shutDown) }
                if Task.isCancelled { return .failure(CancellationError()) }
                guard state.queue.request(id, for: purpose) else {
                    state.waiters[id] = continuation
                    return nil
                }
                return .success(state.nextConnection(configuration, status))
            }
            if let result { continuation.resume(with: result) }
        }

        private func fail(_ id: Int, _ error: PostgreSQLError) { fail(id, error as any Error) }

        private func fail(_ id: Int, _ error: any Error) {
            let waiter = state.withLock { state in state.queue.cancel(id) ? state.waiters.removeValue(forKey: id) : nil }
            waiter?.resume(throwing: error)
        }

        /// Returns a connection. After a write without an answer it remains in use until the server answers: the server executes the write as
        /// long, and new connections in its place could use up all that the server permits.
        private func release(_ connection: PooledConnection, _ purpose: RequestPurpose) {
            connection.whenAnswered { self.makeAvailable(connection, purpose) }
        }

        private func makeAvailable(_ connection: PooledConnection, _ purpose: RequestPurpose) {
            let waiter = state.withLock { state -> CheckedContinuation<PooledConnection, any Error>? in
                if let next = state.queue.release(purpose) { return state.waiters.removeValue(forKey: next) }
                state.idle.append(connection)
                return nil
            }
            waiter?.resume(returning: connection)
        }

        /// Refuses further requests, and closes the connections that are not in use, among them those of writes that have timed out.
        func shutDown() async {
            status.shutDown()
            let (idle, waiters) = state.withLock { state in
                state.isShutDown = true
                state.queue.cancelAll()
                defer { (state.idle, state.waiters) = ([], [:]) }
                return (state.idle, state.waiters.values)
            }
            for waiter in waiters { waiter.resume(throwing: PostgreSQLError.shutDown) }
            for connection in idle { await connection.close() }
        }
    }
#endif
