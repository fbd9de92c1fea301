import Foundation
import LadingOperations
import Observers
import Synchronization

/// The state of one transfer: its record, its progress, and its observers.
///
/// An attempt and `TransferTask` write to the journal, one after the other, so that a later write contains a later state.
final class TransferTracker: Sendable {
    /// The facts about a transfer that are not in its record.
    private struct LiveState {
        /// The number of transferred bytes, synced or not, and the total when it is known.
        var progress: OperationProgress.Snapshot
        /// The error of a failed transfer.
        var error: (any Error)?
        /// Whether the attempt was stopped without a command.
        var isInterrupted = false

        init(_ record: TransferRecord) {
            progress = .init(completed: record.completed, total: record.total)
        }
    }

    private struct State {
        var record: TransferRecord
        var live: LiveState
        var lastObserverID = 0
        var observers: [Int: AsyncStream<FileTransfer>.Continuation] = [:]
        /// The progress that callers observe; nil before the first of them.
        var progress: OperationProgress?
        var isClosed = false
        /// Whether notifications are deferred.
        var isBatching = false
        /// The URL of the next attempt; nil when it is unchanged.
        var pendingURL: URL?
        /// Whether there is a change that is not in the journal yet, or could not be written to it.
        var hasPendingChanges = false
        /// The last write to the journal; nil before the first.
        var lastSave: Task<Void, any Error>?
        /// The error of the last write to the journal; nil if it succeeded.
        var journalError: (any Error)?
        /// Whether the state has changed since it was last delivered.
        var isUndelivered = false
        var isEndDelivered = false
        /// The right to deliver states, by which none arrives after a newer one.
        var deliveryRight = DeliveryRight()

        init(_ record: TransferRecord) {
            self.record = record
            live = LiveState(record)
        }

        /// The observable state.
        var transfer: FileTransfer {
            var transfer = FileTransfer(record)
            (transfer.progress, transfer.error, transfer.isInterrupted) = (live.progress, live.error, live.isInterrupted)
            return transfer
        }

        /// Whether observers receive no later state.
        var isLast: Bool { record.status.isFinal || isClosed }

        /// Returns what is to be delivered; nil if there is nothing, if notifications are deferred, or if another thread delivers it.
        mutating func nextDelivery(isHolder: inout Bool) -> Delivery? {
            let hasDelivery = !isBatching && (isUndelivered || isLast && !isEndDelivered)
            guard deliveryRight.acquire(if: hasDelivery, isHolder: &isHolder) else { return nil }
            let delivery = Delivery(
                transfer: transfer, isChanged: isUndelivered, isLast: isLast, observers: Array(observers.values), progress: progress)
            (isUndelivered, isEndDelivered) = (false, isLast)
            if isLast { observers = [:] }
            return delivery
        }
    }

    /// A state, and the observers that have not received it.
    private struct Delivery {
        let transfer: FileTransfer
        let isChanged: Bool
        let isLast: Bool
        var observers: [AsyncStream<FileTransfer>.Continuation] = []
        let progress: OperationProgress?

        func send() {
            if isChanged {
                progress?.report(completed: transfer.completed, total: transfer.total)
                for observer in observers { observer.yield(transfer) }
            }
            guard isLast else { return }
            progress?.finishUnlessOfOperation(isComplete: transfer.status == .finished)
            for observer in observers { observer.finish() }
        }
    }

    private let state: Mutex<State>
    private let journal: any TransferJournal

    init(_ record: TransferRecord, journal: any TransferJournal) {
        state = Mutex(State(record))
        self.journal = journal
    }

    var record: TransferRecord { state.withLock { $0.record } }
    var transfer: FileTransfer { state.withLock { $0.transfer } }
    var hasPendingChanges: Bool { state.withLock { $0.hasPendingChanges } }
    var journalError: (any Error)? { state.withLock { $0.journalError } }

    /// Reports the number of transferred bytes, synced or not.
    func reportProgress(_ completed: Int, of total: Int?) {
        change { $0.live.progress = .init(completed: completed, total: total) }
    }

    /// Updates the record and the observed state, whose progress never falls.
    ///
    /// - Parameter error: The error of the transfer, which observers see while the transfer is failed.
    func update(error: (any Error)? = nil, _ body: (inout TransferRecord) -> Void) {
        change { state in
            body(&state.record)
            let completed = max(state.live.progress.completed, state.record.completed)
            state.live.progress = .init(completed: completed, total: state.record.total)
            state.live.error = state.record.status == .failed ? error ?? state.live.error : nil
        }
    }

    /// Sets whether the attempt was stopped without a command.
    func setInterrupted(_ isInterrupted: Bool) {
        change { $0.live.isInterrupted = isInterrupted }
    }

    /// Resets the progress, as the file starts over.
    func resetProgress() {
        change { state in
            state.record.completed = 0
            state.live.progress = .init(completed: 0, total: state.live.progress.total)
        }
    }

    /// Defers notifications until the body has returned, so that observers see no end that is not in the journal.
    func batchUpdates(_ body: () async -> Void) async {
        state.withLock { $0.isBatching = true }
        await body()
        change { $0.isBatching = false }
    }

    /// Writes the record to the journal, after the writes that began earlier.
    func save() async throws {
        let save = state.withLock { state -> Task<Void, any Error> in
            let task = Task { [self, previous = state.lastSave] in
                _ = await previous?.result
                try await write()
            }
            state.lastSave = task
            return task
        }
        try await save.value
    }

    private func write() async throws {
        let record = state.withLock { state -> TransferRecord in
            state.hasPendingChanges = false
            return state.record
        }
        do { try await journal.save(record) } catch {
            state.withLock { ($0.hasPendingChanges, $0.journalError) = (true, error) }
            throw error
        }
        state.withLock { $0.journalError = nil }
    }

    // MARK: Commands

    /// Sets the URL of the next attempt, and returns whether it differs from the current one.
    func setPendingURL(_ url: URL) -> Bool {
        state.withLock { state -> Bool in
            state.pendingURL = url == state.record.remote ? nil : url
            return state.pendingURL != nil
        }
    }

    /// Applies the pending URL while no attempt is in progress. A transfer that has ended is not changed.
    ///
    /// - Returns: The former record when its server has part of an upload; otherwise nil.
    func applyPendingURL() -> TransferRecord? {
        var former: TransferRecord?
        change { state in
            guard let url = state.pendingURL, !state.record.status.isFinal else { return }
            if state.record.direction == .upload, state.record.resource != nil { former = state.record }
            (state.pendingURL, state.hasPendingChanges) = (nil, true)
            state.record.changeURL(to: url)
            state.live.progress = .init(completed: state.record.completed, total: state.record.total)
        }
        return former
    }

    /// Sets whether a file at the target may be replaced, also for an attempt in progress. A transfer that has ended is not changed.
    func setReplacesTarget(_ replaces: Bool) {
        change { state in
            guard state.record.replacesTarget != replaces, !state.record.status.isFinal else { return }
            (state.record.replacesTarget, state.hasPendingChanges) = (replaces, true)
        }
    }

    /// Marks the record as changed, so that it is written to the journal with the next event.
    func setPendingChanges() { state.withLock { $0.hasPendingChanges = true } }

    // MARK: Observers

    /// Returns a sequence of the current state and each change, of which it buffers only the newest.
    func updates() -> AsyncStream<FileTransfer> {
        let (stream, observer) = AsyncStream<FileTransfer>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int in
            state.lastObserverID += 1
            observer.yield(state.transfer)
            if state.isLast {
                observer.finish()
            } else {
                state.observers[state.lastObserverID] = observer
            }
            return state.lastObserverID
        }
        observer.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.observers.removeValue(forKey: id) } }
        return stream
    }

    /// The progress, which finishes with the transfer.
    var progress: OperationProgress {
        state.withLock { state in
            if let progress = state.progress { return progress }
            // It has no readers yet.
            let progress = OperationProgress()
            Delivery(transfer: state.transfer, isChanged: true, isLast: state.isLast, progress: progress).send()
            state.progress = progress
            return progress
        }
    }

    /// Finishes all observers, as the transfer will not change any more in this process.
    func close() {
        deliver { $0.isClosed = true }
    }

    private func change(_ body: (inout State) -> Void) {
        deliver { state in
            body(&state)
            state.isUndelivered = true
        }
    }

    /// Changes the state and delivers it, unless another thread delivers states.
    private func deliver(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        var isHolder = false
        while let delivery = state.withLock({ $0.nextDelivery(isHolder: &isHolder) }) { delivery.send() }
    }
}
