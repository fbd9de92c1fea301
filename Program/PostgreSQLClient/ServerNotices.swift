#if PostgreSQL
    internal import CPostgreSQL
    import Synchronization

    /// The notices of the server that decide about a connection or a commit.
    final class ServerNotices: Sendable {
        /// The function of the server that waits for a standby. Its only notices are about an incomplete replication.
        private static let replicationFunction = "SyncRepWaitForLSN"

        private struct State {
            var hasIncompleteReplication = false
            var hasEnded = false
        }

        private let state = Mutex(State())

        /// Whether a commit since `reset` was stored, and not replicated as `synchronous_commit` demands.
        var hasIncompleteReplication: Bool { state.withLock(\.hasIncompleteReplication) }

        /// Whether the server is closing the connection. It sends its reason before it closes the socket.
        var hasEnded: Bool { state.withLock(\.hasEnded) }

        /// Forgets the replication of earlier commits.
        func reset() { state.withLock { $0.hasIncompleteReplication = false } }

        func record(_ notice: OpaquePointer?) {
            guard let notice else { return }
            func field(_ code: Character) -> String? {
                PQresultErrorField(notice, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
            }
            let (function, severity) = (field("R"), field("V"))
            state.withLock { state in
                if function == Self.replicationFunction { state.hasIncompleteReplication = true }
                if severity == "FATAL" { state.hasEnded = true }
            }
        }
    }
#endif
