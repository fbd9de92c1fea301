public import LadingOutbox
import ScriptedServers

/// A journal of an outbox in memory. Passing it to another `Outbox` simulates a restart after a kill.
public final class MemoryOutboxJournal: OutboxJournal {
    private struct State: Sendable {
        var entries: [OutboxEntry] = []
        var receipts: [OutboxReceipt] = []
        var lastPosition: Int64 = 0
        var failure: (any Error)?
    }

    private let state = ObservableValue(State())

    public init() {}

    /// Makes all further writes throw an error; nil ends that.
    public func fail(with error: (any Error)?) {
        state.change { $0.failure = error }
    }

    public nonisolated(nonsending) func contents(of partition: String) async throws -> OutboxContents {
        let state = state.value
        return OutboxContents(
            entries: state.entries.filter { $0.partition == partition }, receipts: state.receipts.filter { $0.partition == partition })
    }

    public nonisolated(nonsending) func add(_ entry: OutboxEntry) async throws -> OutboxInsertResult {
        var result = OutboxInsertResult.alreadyPending(entry)
        try write { state in
            let isSame = { (id: IdempotencyKey, partition: String) in id == entry.id && partition == entry.partition }
            if let existing = state.entries.first(where: { isSame($0.id, $0.partition) }) {
                result = .alreadyPending(existing)
            } else if let receipt = state.receipts.first(where: { isSame($0.id, $0.partition) }) {
                result = .alreadyEnded(receipt)
            } else {
                var added = entry
                state.lastPosition += 1
                added.position = state.lastPosition
                state.entries.append(added)
                result = .inserted(added)
            }
        }
        return result
    }

    public nonisolated(nonsending) func update(_ entry: OutboxEntry) async throws {
        try write { state in
            for index in state.entries.indices
            where state.entries[index].id == entry.id && state.entries[index].partition == entry.partition {
                (state.entries[index].attempts, state.entries[index].lastFailure) = (entry.attempts, entry.lastFailure)
            }
        }
    }

    public nonisolated(nonsending) func replaceEntry(with receipt: OutboxReceipt, retaining limit: Int) async throws {
        try write { state in
            state.entries.removeAll { $0.id == receipt.id && $0.partition == receipt.partition }
            state.receipts.removeAll { $0.id == receipt.id && $0.partition == receipt.partition }
            state.receipts.append(receipt)
            let partitionIndices = state.receipts.indices.filter { state.receipts[$0].partition == receipt.partition }
            for index in partitionIndices.dropLast(limit).reversed() { state.receipts.remove(at: index) }
        }
    }

    /// Waits until the contents of a partition satisfy a condition.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    public nonisolated(nonsending) func wait(of partition: String = "", until isSatisfied: @escaping @Sendable (OutboxContents) -> Bool)
        async throws
    {
        try await state.wait { state in
            isSatisfied(
                OutboxContents(
                    entries: state.entries.filter { $0.partition == partition },
                    receipts: state.receipts.filter { $0.partition == partition }))
        }
    }

    private func write(_ body: (inout State) -> Void) throws {
        if let failure = state.value.failure { throw failure }
        state.change(body)
    }
}
