#if PostgreSQL
    internal import CPostgreSQL
    import Synchronization

    /// The warnings of a commit that was stored, and not replicated as `synchronous_commit` demands.
    final class ReplicationWarnings: Sendable {
        /// The function of the server that waits for a standby. Its only notices are about an incomplete replication.
        private static let function = "SyncRepWaitForLSN"

        private let isWarned = Mutex(false)

        var isRecorded: Bool { isWarned.withLock(\.self) }

        func reset() { isWarned.withLock { $0 = false } }

        /// Records a notice of the server if it is such a warning.
        func record(_ notice: OpaquePointer?) {
            guard let notice, let function = PQresultErrorField(notice, Int32(Character("R").asciiValue ?? 0)),
                String(cString: function) == Self.function
            else { return }
            isWarned.withLock { $0 = true }
        }
    }
#endif
