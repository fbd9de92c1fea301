#if PostgreSQL
    import OrderStorage
    import PostgreSQLClient
    import Synchronization

    /// The notifications from program to program that the change feed has grown.
    ///
    /// A notification takes a lock of the whole server when its transaction commits, so a program sends at most one in an interval, in a transaction of its
    /// own. Without them changes are found by the interval of the readers.
    final class ChangeHints: Sendable {
        private static let channel = "lading_changes"
        /// The minimum time between two notifications of a program.
        private static let interval = Duration.milliseconds(50)
        /// The pause before a listener connects again.
        private static let reconnectDelay = Duration.seconds(2)

        fileprivate struct State {
            var isSending = false
            /// Whether there was a change since the last notification.
            var isPending = false
        }

        private let client: PostgreSQLClient
        /// The program, which ignores its own notifications.
        private let sender = String(UInt64.random(in: 0...(.max)), radix: 36)
        private let state = Mutex(State())

        init(_ client: PostgreSQLClient) {
            self.client = client
        }

        /// Notifies the other programs of a change, now or after the interval.
        func send() {
            let begins = state.withLock { state in
                state.isPending = true
                defer { state.isSending = true }
                return !state.isSending
            }
            if begins { Task { await sendPending() } }
        }

        private func sendPending() async {
            while state.withLock({ $0.beginSending() }) {
                // Without the notification the others find the change a little later.
                // A notification is lost with the server anyway, so its commit waits for neither the disk nor a standby.
                _ = try? await client.write(
                    "SELECT set_config('synchronous_commit', 'off', true), pg_notify(\(Self.channel), \(sender))")
                try? await Task.sleep(for: Self.interval)
            }
        }

        /// Calls a closure after notifications of other programs, and when some may have been missed.
        func follow(receive: @escaping @Sendable () -> Void) async {
            while !Task.isCancelled {
                try? await client.listen(to: Self.channel) { [sender] senders in
                    if senders.isEmpty || senders.contains(where: { $0 != sender }) { receive() }
                }
                try? await Task.sleep(for: Self.reconnectDelay)
            }
        }
    }

    extension ChangeHints.State {
        fileprivate mutating func beginSending() -> Bool {
            isSending = isPending
            isPending = false
            return isSending
        }
    }

    extension PostgreSQLOrderStore: SharedOrderStore {
        package func followHints(receive: @escaping @Sendable () -> Void) async { await hints.follow(receive: receive) }
    }
#endif
