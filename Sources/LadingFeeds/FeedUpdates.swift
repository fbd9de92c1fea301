import Synchronization

/// The updates of one controller, for one reader. Changes between two reads are merged into one update.
///
/// The buffer is bounded by the identities of the rows that changed since the last read.
public final class FeedUpdates<ID: Hashable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = FeedUpdate<ID>

    private struct State: Sendable {
        var pending = FeedUpdate<ID>()
        var reader: CheckedContinuation<FeedUpdate<ID>?, Never>?
        var isFinished = false

        mutating func popPending() -> FeedUpdate<ID>? {
            guard !pending.isEmpty else { return nil }
            defer { pending = FeedUpdate() }
            return pending
        }
    }

    private let state = Mutex(State())

    public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let updates: FeedUpdates

        /// Returns the changes since the last call as soon as there are any; nil if the controller has stopped or the task is cancelled.
        public nonisolated(nonsending) func next() async -> FeedUpdate<ID>? { await updates.next() }
    }

    /// Merges an update into the next one that the reader receives.
    func post(_ update: FeedUpdate<ID>) {
        let delivery = state.withLock { state in
            guard !state.isFinished else { return Resumption?.none }
            state.pending.merge(update)
            guard let reader = state.reader, let update = state.popPending() else { return Resumption?.none }
            state.reader = nil
            return Resumption(reader: reader, update: update)
        }
        delivery?.reader.resume(returning: delivery?.update)
    }

    /// Ends the sequence.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }

    private struct Resumption {
        var reader: CheckedContinuation<FeedUpdate<ID>?, Never>
        var update: FeedUpdate<ID>
    }

    private func next() async -> FeedUpdate<ID>? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let immediate: FeedUpdate<ID>?? = state.withLock { state in
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    if let update = state.popPending() { return update }
                    precondition(state.reader == nil, "the updates of a controller can have only one reader: iterate over them in one task")
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
