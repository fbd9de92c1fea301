import Synchronization

/// Serialised access to uploads: a new request for an upload cancels the previous one.
///
/// A client that retries has abandoned its previous request, even if the server has not noticed (draft-ietf-httpbis-resumable-upload-10, §4.6).
final class ExclusiveUploadAccess: Sendable {
    private struct Holder {
        var number: Int
        var cancel: @Sendable () async -> Void
    }

    private let state = Mutex<(last: Int, holders: [String: Holder])>((0, [:]))

    /// Cancels the previous work on an upload, waits for its end, and performs new work.
    func withAccess<Value: Sendable>(to id: String, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (task, number) = state.withLock { state -> (Task<Value, any Error>, Int) in
            let previous = state.holders[id]
            state.last += 1
            let task = Task {
                await previous?.cancel()
                try Task.checkCancellation()
                return try await work()
            }
            state.holders[id] = Holder(number: state.last) {
                task.cancel()
                _ = await task.result
            }
            return (task, state.last)
        }
        defer {
            state.withLock { state in
                if state.holders[id]?.number == number { state.holders[id] = nil }
            }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
