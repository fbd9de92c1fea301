import UpdateMerging

/// The updates of one controller, for one reader. Changes between two reads are merged into one update.
///
/// The buffer is bounded by the identities of the rows that changed since the last read.
public final class FeedUpdates<ID: Hashable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = FeedUpdate<ID>

    private let merged = MergedUpdates<FeedUpdate<ID>> { $0.merge($1) }

    init() {}

    public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let updates: FeedUpdates

        /// Returns the changes since the last call as soon as there are any; nil if the controller has stopped or the task is cancelled.
        public nonisolated(nonsending) func next() async -> FeedUpdate<ID>? { await updates.merged.next() }
    }

    /// Merges an update into the next one that the reader receives.
    func post(_ update: FeedUpdate<ID>) {
        if !update.isEmpty { merged.post(update) }
    }

    /// Ends the sequence.
    func finish() { merged.finish(droppingPending: true) }
}
