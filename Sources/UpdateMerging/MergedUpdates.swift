import Synchronization

/// A buffer of updates for one reader at a time. Updates between two reads are merged into one.
///
/// The end of a reader, such as its cancellation, does not end the updates: the next reader continues.
package final class MergedUpdates<Update: Sendable>: Sendable {
    private struct State: Sendable {
        var pending: Update?
        var reader: CheckedContinuation<Update?, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())
    private let merge: @Sendable (inout Update, Update) -> Void

    /// Creates a buffer.
    ///
    /// - Parameter merge: Merges a later update into a pending one.
    package init(merging merge: @escaping @Sendable (inout Update, Update) -> Void) {
        self.merge = merge
    }

    /// Delivers an update to the waiting reader, or merges it into the one that the next read returns.
    package func post(_ update: Update) {
        let reader = state.withLock { state -> CheckedContinuation<Update?, Never>? in
            guard !state.isFinished else { return nil }
            if let reader = state.reader.take() { return reader }
            if var pending = state.pending.take() {
                merge(&pending, update)
                state.pending = pending
            } else {
                state.pending = update
            }
            return nil
        }
        reader?.resume(returning: update)
    }

    /// Ends the updates. Later reads return the pending update first, unless it is dropped.
    package func finish(droppingPending: Bool = false) {
        let reader = state.withLock { state in
            state.isFinished = true
            if droppingPending { state.pending = nil }
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }

    /// Returns the updates since the last call as soon as there are any; nil after the end or if the task is cancelled.
    package nonisolated(nonsending) func next() async -> Update? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let immediate: Update?? = state.withLock { state in
                    if Task.isCancelled { return .some(nil) }
                    if let update = state.pending.take() { return update }
                    if state.isFinished { return .some(nil) }
                    precondition(state.reader == nil, "updates can have only one reader: iterate over them in one task")
                    state.reader = reader
                    return nil
                }
                if let immediate { reader.resume(returning: immediate) }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume(returning: nil)
        }
    }
}
