#if PostgreSQL
    internal import CPostgreSQL
    import Synchronization

    /// The right to cancel the running statement of a connection, from any thread.
    final class Cancellation: Sendable {
        // Proof: `PQcancel` may be called by any thread with a `PGcancel`, which never changes.
        nonisolated(unsafe) private let handle: OpaquePointer

        init?(_ connection: OpaquePointer) {
            guard let handle = PQgetCancel(connection) else { return nil }
            self.handle = handle
        }

        deinit { PQfreeCancel(handle) }

        /// Asks the server to cancel the statement, over a connection of its own; blocks until the server has done so.
        fileprivate func cancel() {
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(handle, &message, Int32(message.count))
        }
    }

    /// A request whose task can be cancelled while its statements run.
    ///
    /// The server is asked to cancel whatever a connection executes. The end of the statements waits for the answer, so that the statements of the next
    /// request, which may be a commit, are not cancelled in their place.
    final class CancellableRequest: Sendable {
        private enum State {
            case waiting
            case running(Cancellation)
            case ended
            case cancelled
        }

        private let state = Mutex(State.waiting)

        /// Runs the statements.
        ///
        /// - Throws: `CancellationError` if the request was cancelled before; the errors of the statements.
        func run<Value>(with cancellation: Cancellation, _ statements: () throws -> Value) throws -> Value {
            try state.withLock { state in
                if case .cancelled = state { throw CancellationError() }
                state = .running(cancellation)
            }
            defer { state.withLock { $0 = .ended } }
            return try statements()
        }

        /// Cancels the statements if they run, and prevents them if they have not begun; blocks until the server has done so.
        func cancel() {
            state.withLock { state in
                switch state {
                case .waiting: state = .cancelled
                case .running(let cancellation): cancellation.cancel()
                case .ended, .cancelled: break
                }
            }
        }
    }
#endif
