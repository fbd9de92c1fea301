import Synchronization

/// The idempotency keys of requests that are being done: as many as there are such requests.
final class KeysInUse: Sendable {
    private let keys = Mutex<Set<IdempotencyKey>>([])

    /// Does the work of a request while no other request has its key.
    ///
    /// - Throws: `IdempotencyProblem.inProgress` when another has it, or what the work throws.
    func withKey<Value>(_ key: IdempotencyKey, _ work: () async throws -> Value) async throws -> Value {
        guard keys.withLock({ $0.insert(key).inserted }) else { throw IdempotencyProblem.inProgress }
        defer { keys.withLock { _ = $0.remove(key) } }
        return try await work()
    }
}
