import Synchronization

/// Reads that several pages share: one of each key runs at a time, and requests during it share the next one.
///
/// So a result is never older than the request for it, and many pages cost as much as one.
final class SharedReads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Reads {
        let running: Task<Value, any Error>
        /// The read that begins when the running one has ended.
        var next: Task<Value, any Error>?
    }

    private let reads = Mutex<[Key: Reads]>([:])

    /// Returns the result of a read that has not begun yet.
    func value(for key: Key, _ read: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await task(for: key, read).value
    }

    /// Returns a read that has not begun yet.
    func task(for key: Key, _ read: @escaping @Sendable () async throws -> Value) -> Task<Value, any Error> {
        reads.withLock { reads in
            guard var current = reads[key] else {
                let task = Task { try await self.run(key, read) }
                reads[key] = Reads(running: task)
                return task
            }
            if let next = current.next { return next }
            let task = Task { [running = current.running] in
                _ = await running.result
                return try await self.run(key, read)
            }
            current.next = task
            reads[key] = current
            return task
        }
    }

    private func run(_ key: Key, _ read: @Sendable () async throws -> Value) async throws -> Value {
        defer {
            reads.withLock { reads in reads[key] = reads[key]?.next.map { Reads(running: $0) } }
        }
        return try await read()
    }
}
