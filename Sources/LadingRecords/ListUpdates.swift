import UpdateMerging

/// The changes of a list or of results, without their content; for one reader at a time. Changes between two reads are merged.
///
/// After the task of a reader was cancelled, another one may read on. The sequence ends when the list is closed or the task is cancelled.
public final class ListUpdates: AsyncSequence, Sendable {
    public typealias Element = Void

    private let merged = MergedUpdates<Void> { _, _ in }

    init() {}

    public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let updates: ListUpdates

        /// Returns when the list has changed since the last call; nil if it was closed or the task is cancelled.
        public nonisolated(nonsending) func next() async -> Void? { await updates.merged.next() }
    }

    func post() { merged.post(()) }

    func finish() { merged.finish() }
}
