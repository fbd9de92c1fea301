import Synchronization

/// Reads that several pages share: one of each key runs at a time, and requests during it share the next one.
///
/// So a result is never older than the request for it, and many pages cost as much as one.
final class JoinedReads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A read for which one request waits or several.
    struct Read: Sendable {
        let task: Task<Value, any Error>
        /// Whether the request has started the read, with the token of its page.
        let isOwn: Bool
    }

    private struct Reads {
        let running: Task<Value, any Error>
        /// The read that begins when the running one has ended.
        var next: Task<Value, any Error>?
    }

    private let reads = Mutex<[Key: Reads]>([:])

    /// Returns the result of a read that has not begun yet, and whether the request has started the read.
    ///
    /// - Parameter isRefusal: Returns whether an error concerns only the page that has started a read: the others read again.
    /// - Throws: An error of the read, or `CancellationError` instead of another read.
    func value(
        for key: Key, isRefusal: (any Error) -> Bool, _ read: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, isOwn: Bool) {
        while true {
            let shared = self.read(for: key, read)
            do {
                return (try await shared.task.value, shared.isOwn)
            } catch  where !shared.isOwn && isRefusal(error) {
                try Task.checkCancellation()
            }
        }
    }

    /// Returns a read that has not begun yet.
    func read(for key: Key, _ read: @escaping @Sendable () async throws -> Value) -> Read {
        reads.withLock { reads in
            guard var current = reads[key] else {
                let task = Task { try await self.run(key, read) }
                reads[key] = Reads(running: task)
                return Read(task: task, isOwn: true)
            }
            if let next = current.next { return Read(task: next, isOwn: false) }
            let task = Task { [running = current.running] in
                _ = await running.result
                return try await self.run(key, read)
            }
            current.next = task
            reads[key] = current
            return Read(task: task, isOwn: true)
        }
    }

    private func run(_ key: Key, _ read: @Sendable () async throws -> Value) async throws -> Value {
        defer {
            reads.withLock { reads in reads[key] = reads[key]?.next.map { Reads(running: $0) } }
        }
        return try await read()
    }
}
