#if PostgreSQL
    internal import CPostgreSQL
    import Synchronization

    /// The right to cancel the running statement of a connection, from any thread.
    final class Cancellation: Sendable {
        /// A `PGcancel`, which libpq lets any thread use.
        nonisolated(unsafe) private let handle: OpaquePointer
        let warnings = ReplicationWarnings()

        init?(_ connection: OpaquePointer) {
            guard let handle = PQgetCancel(connection) else { return nil }
            self.handle = handle
        }

        deinit { PQfreeCancel(handle) }

        /// Asks the server to cancel the statement, over a connection of its own; blocks until the server has received it.
        func cancel() {
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(handle, &message, Int32(message.count))
        }
    }

    /// The warnings of a commit that was stored, and not replicated as `synchronous_commit` demands.
    final class ReplicationWarnings: Sendable {
        private let isWarned = Mutex(false)

        var isRecorded: Bool { isWarned.withLock(\.self) }

        func reset() { isWarned.withLock { $0 = false } }

        /// Records a notice that comes from the wait for a standby: its only notices are about an incomplete replication.
        func record(_ result: OpaquePointer?) {
            guard let result, let function = PQresultErrorField(result, Int32(Character("R").asciiValue ?? 0)),
                String(cString: function) == "SyncRepWaitForLSN"
            else { return }
            isWarned.withLock { $0 = true }
        }
    }
#endif
