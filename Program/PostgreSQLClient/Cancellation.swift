#if PostgreSQL
    internal import CPostgreSQL
    import Dispatch
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

        /// Requests the cancellation of the statement over a connection of its own, and blocks without a limit until the server has closed that.
        fileprivate func cancel() {
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(handle, &message, Int32(message.count))
        }
    }

    /// A request whose task can be cancelled while its statements run.
    ///
    /// The server is asked to cancel whatever a connection executes. The end of the statements waits for the answer, so that the statements of
    /// the next request, which may be a commit, are not cancelled in their place.
    final class CancellableRequest: Sendable {
        /// The maximum time for which the end of the statements waits for the answer to a cancellation.
        private static let answerLimit = Duration.seconds(5)

        private enum State {
            case waiting
            case running(Cancellation)
            /// The server has been requested to cancel the statements.
            case cancelling
            case ended
            /// The request was cancelled before its statements ran.
            case cancelled
        }

        private let state = Mutex(State.waiting)
        /// Signalled when the server has answered the cancellation.
        private let answer = DispatchSemaphore(value: 0)

        /// Runs the statements.
        ///
        /// - Throws: `CancellationError` if the request was cancelled before; the errors of the statements; `PostgreSQLError.interrupted` if the
        ///   server has not answered a cancellation in time. The connection must be closed then, so that a later cancellation has no effect.
        func run<Value>(with cancellation: Cancellation, _ statements: () throws -> Value) throws -> Value {
            try state.withLock { state in
                if case .cancelled = state { throw CancellationError() }
                state = .running(cancellation)
            }
            let result = Result { try statements() }
            try end()
            return try result.get()
        }

        private func end() throws {
            let isCancelling = state.withLock { state in
                defer { state = .ended }
                if case .cancelling = state { return true }
                return false
            }
            let limit = DispatchTimeInterval.milliseconds(Self.answerLimit.milliseconds)
            guard isCancelling, answer.wait(timeout: .now() + limit) == .timedOut else { return }
            throw PostgreSQLError.interrupted("the database did not answer the cancellation of a statement in time")
        }

        /// Cancels the statements if they run, and prevents them if they have not begun; blocks until the server has done so.
        func cancel() {
            let cancellation = state.withLock { state -> Cancellation? in
                switch state {
                case .waiting:
                    state = .cancelled
                    return nil
                case .running(let cancellation):
                    state = .cancelling
                    return cancellation
                case .cancelling, .ended, .cancelled: return nil
                }
            }
            guard let cancellation else { return }
            cancellation.cancel()
            answer.signal()
        }
    }
#endif
