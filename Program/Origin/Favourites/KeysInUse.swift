import Synchronization

/// The idempotency keys of the requests in progress.
final class KeysInUse: Sendable {
    private let keys = Mutex<Set<IdempotencyKey>>([])

    /// Performs the work of a request while no other request uses its key.
    ///
    /// - Throws: `IdempotencyProblem.inProgress` when another request uses the key, or the error of the work.
    func withKey<Value>(_ key: IdempotencyKey, _ work: () async throws -> Value) async throws -> Value {
        guard keys.withLock({ $0.insert(key).inserted }) else { throw IdempotencyProblem.inProgress }
        defer { keys.withLock { _ = $0.remove(key) } }
        return try await work()
    }
}
