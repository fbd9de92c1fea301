import Synchronization

/// Lets one request at a time work on an upload: the newest, for which the one before has to stop.
///
/// A client that asks again has given up what it asked before, whether the server has noticed or not (draft-ietf-httpbis-resumable-upload-10, §4.6).
final class ExclusiveUploadAccess: Sendable {
    private struct Holder {
        var number: Int
        var cancel: @Sendable () async -> Void
    }

    private let state = Mutex<(last: Int, turns: [String: Holder])>((0, [:]))

    /// Does work on an upload when whoever did so before has stopped.
    func withAccess<Value: Sendable>(to id: String, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (task, number) = state.withLock { state -> (Task<Value, any Error>, Int) in
            let previous = state.turns[id]
            state.last += 1
            let task = Task {
                await previous?.cancel()
                try Task.checkCancellation()
                return try await work()
            }
            state.turns[id] = Holder(number: state.last) {
                task.cancel()
                _ = await task.result
            }
            return (task, state.last)
        }
        defer {
            state.withLock { state in
                if state.turns[id]?.number == number { state.turns[id] = nil }
            }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
