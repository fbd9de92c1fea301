import Synchronization

/// A cache of reads that are shared between two changes of their content.
///
/// The caller counts the changes. A read that began at one count is valid for all callers with this or a lower count.
final class SharedReads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The maximum number of cached results; beyond it all are removed.
    static var limit: Int { 64 }

    private struct State: Sendable {
        var changeCount = 0
        var reads: [Key: Task<Value, any Error>] = [:]

        mutating func drop(_ read: Task<Value, any Error>, of key: Key) {
            if reads[key] == read { reads[key] = nil }
        }
    }

    private let state = Mutex(State())

    /// Returns the cached value, or the result of a read that starts now.
    ///
    /// All waiting callers receive the error of a failed read, and the next caller reads again.
    ///
    /// - Parameter changeCount: The number of changes before the call.
    func value(
        of key: Key, after changeCount: Int, _ read: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = state.withLock { state -> Task<Value, any Error> in
            if changeCount > state.changeCount { state = State(changeCount: changeCount) }
            if let task = state.reads[key] { return task }
            if state.reads.count >= Self.limit { state.reads = [:] }
            // The task is not cancelled with its caller, because others may wait for it.
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
