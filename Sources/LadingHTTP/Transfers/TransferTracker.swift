import Foundation
import LadingOperations
import Synchronization

/// What is known of one transfer: its record, how far it is, and who watches.
///
/// While an attempt is under way it alone writes to the journal, otherwise `TransferTask` does: what is written later was known later.
final class TransferTracker: Sendable {
    private struct State {
        var record: TransferRecord
        var transfer: FileTransfer
        var lastObserverID = 0
        var observers: [Int: AsyncStream<FileTransfer>.Continuation] = [:]
        var isClosed = false
        /// Whether watchers are told later of what changes now.
        var isBatching = false
        /// Where the next attempt is to go; nil where the last one went.
        var pendingURL: URL?
        /// Whether somebody wished for something that the journal does not tell yet.
        var hasUnsavedChanges = false
    }

    private let state: Mutex<State>
    private let journal: any TransferJournal

    init(_ record: TransferRecord, journal: any TransferJournal) {
        state = Mutex(State(record: record, transfer: FileTransfer(record)))
        self.journal = journal
    }

    var record: TransferRecord { state.withLock { $0.record } }
    var transfer: FileTransfer { state.withLock { $0.transfer } }
    var hasUnsavedChanges: Bool { state.withLock { $0.hasUnsavedChanges } }

    /// Tells how many bytes there are, safe or not.
    func reportProgress(_ completed: Int, of total: Int?) {
        change { state in
            state.transfer.completed = completed
            state.transfer.total = total
        }
    }

    /// Changes what is to be written, and what is seen.
    ///
    /// - Parameter error: Why the transfer fails; it is seen as long as it has failed.
    func update(error: (any Error)? = nil, _ body: (inout TransferRecord) -> Void) {
        change { state in
            body(&state.record)
            let before = state.transfer
            state.transfer = FileTransfer(state.record)
            state.transfer.completed = max(before.completed, state.record.completed)
            if state.record.status == .failed { state.transfer.error = error ?? before.error }
        }
    }

    /// Takes back what was moved: the file begins again.
    func resetProgress() {
        change { state in
            state.record.completed = 0
            state.transfer.completed = 0
        }
    }

    /// What changes while a body runs is told when it has ended: nobody hears of an end that is not in the journal yet.
    func batchUpdates(_ body: () async -> Void) async {
        state.withLock { $0.isBatching = true }
        await body()
        change { $0.isBatching = false }
    }

    /// Writes what is known to the journal.
    func save() async throws {
        let record = state.withLock { state -> TransferRecord in
            state.hasUnsavedChanges = false
            return state.record
        }
        try await journal.save(record)
    }

    // MARK: Wishes

    /// Sends the next attempt to an address, and says whether that is another than now.
    func setPendingURL(_ url: URL) -> Bool {
        state.withLock { state -> Bool in
            state.pendingURL = url == state.record.remote ? nil : url
            return state.pendingURL != nil
        }
    }

    /// Takes the address that was wished for, while no attempt is under way. What has ended stays where it did.
    ///
    /// - Returns: The record before the move, when the former server has some of an upload; otherwise nil.
    func applyPendingURL() -> TransferRecord? {
        var former: TransferRecord?
        change { state in
            guard let url = state.pendingURL, !state.record.status.isFinal else { return }
            let error = state.transfer.error
            if state.record.direction == .upload, state.record.resource != nil { former = state.record }
            (state.pendingURL, state.hasUnsavedChanges) = (nil, true)
            state.record.changeURL(to: url)
            state.transfer = FileTransfer(state.record)
            state.transfer.error = error
        }
        return former
    }

    /// Lets a file at the target be replaced, or not; an attempt that is under way keeps to it, too.
    func setReplacesTarget(_ replaces: Bool) {
        change { state in
            guard state.record.replacesTarget != replaces else { return }
            (state.record.replacesTarget, state.hasUnsavedChanges) = (replaces, true)
        }
    }

    // MARK: Watching

    /// The transfer as it is, and then whenever it has changed; of what nobody has read only the newest is kept.
    func updates() -> AsyncStream<FileTransfer> {
        let (stream, watcher) = AsyncStream<FileTransfer>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int in
            state.lastObserverID += 1
            watcher.yield(state.transfer)
            if state.transfer.status.isFinal || state.isClosed { watcher.finish() } else { state.observers[state.lastObserverID] = watcher }
            return state.lastObserverID
        }
        watcher.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.observers.removeValue(forKey: id) } }
        return stream
    }

    /// Nothing will change any more while this program runs.
    func close() {
        let watchers = state.withLock { state in
            state.isClosed = true
            defer { state.observers = [:] }
            return state.observers
        }
        for watcher in watchers.values { watcher.finish() }
    }

    private func change(_ body: (inout State) -> Void) {
        let (transfer, watchers) = state.withLock { state -> (FileTransfer, [AsyncStream<FileTransfer>.Continuation]) in
            body(&state)
            guard !state.isBatching else { return (state.transfer, []) }
            defer { if state.transfer.status.isFinal { state.observers = [:] } }
            return (state.transfer, state.observers.values.map { $0 })
        }
        for watcher in watchers {
            watcher.yield(transfer)
            if transfer.status.isFinal { watcher.finish() }
        }
    }
}
