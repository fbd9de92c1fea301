import Synchronization

/// Reads of content that changes now and then: each is made once between two changes, and shared by all callers.
///
/// Changes are counted by the caller. A read that began at a count is good for every caller who has seen no later one.
final class SharedReads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The most results held; beyond it they are read again.
    static var limit: Int { 64 }

    private struct State: Sendable {
        var changeCount = 0
        var reads: [Key: Task<Value, any Error>] = [:]

        mutating func drop(_ read: Task<Value, any Error>, of key: Key) {
            if reads[key] == read { reads[key] = nil }
        }
    }

    private let state = Mutex(State())

    /// Returns what was read since a change, or reads it.
    ///
    /// A failure is thrown to all who wait for it, and the next caller reads again.
    ///
    /// - Parameter changeCount: How many changes there were before the call.
    func value(
        of key: Key, after changeCount: Int, _ read: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = state.withLock { state -> Task<Value, any Error> in
            if changeCount > state.changeCount { state = State(changeCount: changeCount) }
            if let task = state.reads[key] { return task }
            if state.reads.count >= Self.limit { state.reads = [:] }
            // Nobody cancels it: it is one read, and others may wait for it.
            let task = Task { try await read() }
            state.reads[key] = task
            return task
        }
        do {
            return try await task.value
        } catch {
            state.withLock { $0.drop(task, of: key) }
            throw error
        }
    }
}
