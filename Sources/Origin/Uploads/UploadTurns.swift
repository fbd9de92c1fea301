import Synchronization

/// Lets one request at a time work on an upload: the newest, for which the one before has to stop.
///
/// A client that asks again has given up what it asked before, whether the server has noticed or not (draft-ietf-httpbis-resumable-upload-10, §4.6).
final class UploadTurns: Sendable {
    private struct Turn {
        var number: Int
        var end: @Sendable () async -> Void
    }

    private let state = Mutex<(last: Int, turns: [String: Turn])>((0, [:]))

    /// Does work on an upload when whoever did so before has stopped.
    func take<Value: Sendable>(_ id: String, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (task, number) = state.withLock { state -> (Task<Value, any Error>, Int) in
            let previous = state.turns[id]
            state.last += 1
            let task = Task {
                await previous?.end()
                try Task.checkCancellation()
                return try await work()
            }
            state.turns[id] = Turn(number: state.last) {
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
