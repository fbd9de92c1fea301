import Synchronization

/// The numbers of connections, exchanges or uploads in progress of each client, up to a limit.
package final class ClientCounts<Client: Hashable & Sendable>: Sendable {
    /// The maximum number per client.
    private let limit: Int
    private let counts = Mutex<[Client: Int]>([:])

    package init(limit: Int) {
        self.limit = limit
    }

    /// Counts one more; returns false when the client has reached the limit.
    package func add(_ client: Client) -> Bool {
        counts.withLock { counts in
            let count = counts[client, default: 0]
            guard count < limit else { return false }
            counts[client] = count + 1
            return true
        }
    }

    package func remove(_ client: Client) {
        counts.withLock { counts in
            guard let count = counts[client] else { return }
            counts[client] = count > 1 ? count - 1 : nil
        }
    }
}
