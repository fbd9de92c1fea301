import Foundation
import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingTransfers

/// The observers of one transfer.
@Suite struct TransferTrackerTests {
    @Test func `An observer receives the newest state last, although another thread changes it while an older one is delivered`()
        async throws
    {
        let tracker = try makeTracker()
        let (executor, reader) = interruptDelivery(of: tracker)
        var states = tracker.updates().makeAsyncIterator()
        _ = await states.next()
        executor.onEnqueue.withLock { $0 = { tracker.reportProgress(2, of: 3) } }

        tracker.reportProgress(1, of: 3)

        #expect(await states.next()?.completed == 2)
        reader.cancel()
        executor.jobs.runAll()
    }

    @Test func `A transfer that is closed while an older state is delivered still delivers its last state before the end`() async throws {
        let tracker = try makeTracker()
        let (executor, reader) = interruptDelivery(of: tracker)
        var states = tracker.updates().makeAsyncIterator()
        _ = await states.next()
        executor.onEnqueue.withLock {
            $0 = {
                tracker.update { $0.status = .finished }
                tracker.close()
            }
        }

        tracker.reportProgress(1, of: 3)

        #expect(await states.next()?.status == .finished)
        #expect(await states.next() == nil)
        #expect(tracker.progress.snapshot.fraction == 1)
        reader.cancel()
        executor.jobs.runAll()
    }

    @Test func `The reported progress falls only when the file starts over`() throws {
        let tracker = try makeTracker()

        tracker.reportProgress(7, of: 9)
        tracker.update { ($0.completed, $0.total) = (5, 9) }
        #expect(tracker.transfer.progress == .init(completed: 7, total: 9))
        tracker.update { $0.completed = 8 }
        #expect(tracker.transfer.progress == .init(completed: 8, total: 9))
        tracker.resetProgress()
        #expect(tracker.transfer.progress == .init(completed: 0, total: 9) && tracker.record.completed == 0)
    }

    @Test func `A new URL changes neither the error nor the interruption of a transfer, and the error ends with the failure`() throws {
        let (tracker, url) = (try makeTracker(), try #require(URL(string: "http://b.org/")))
        tracker.update(error: POSIXError(.EIO)) { $0.status = .failed }
        tracker.setInterrupted(true)

        #expect(tracker.setPendingURL(url))
        #expect(tracker.applyPendingURL() == nil)
        tracker.update { $0.isResumable = true }
        let changed = tracker.transfer
        tracker.update { $0.status = .pending }

        #expect(changed.error is POSIXError && changed.isInterrupted && changed.remote == url && changed.isResumable == true)
        #expect(tracker.transfer.error == nil && tracker.transfer.isInterrupted)
    }

    @Test func `A write to the journal waits for an earlier one, and contains the later state`() async throws {
        let (gate, executor) = (Gate(), ManualTaskExecutor())
        let journal = GatedTransferJournal(saveGate: gate)
        let tracker = try makeTracker(journal: journal)
        let earlier = Task { try await tracker.save() }
        await gate.waitForWaiters(count: 1)
        tracker.setReplacesTarget(true)

        let later = Task(executorPreference: executor) { try await tracker.save() }
        executor.runAll()

        #expect(gate.waiterCount == 1)
        gate.open()
        try await earlier.value
        try await journal.base.wait(for: tracker.record.id) { $0.replacesTarget }
        later.cancel()
        executor.runAll()
    }

    /// Returns an executor and the task of a reader of the progress on it: a job is enqueued while a state is delivered.
    private func interruptDelivery(of tracker: TransferTracker) -> (InterruptingExecutor, Task<Void, Never>) {
        let executor = InterruptingExecutor()
        let reader = Task(executorPreference: executor) { [progress = tracker.progress] in for await _ in progress.updates() {} }
        executor.jobs.runAll()
        return (executor, reader)
    }

    private func makeTracker(journal: any TransferJournal = MemoryTransferJournal()) throws -> TransferTracker {
        let record = TransferRecord(
            id: try #require(TransferID(rawValue: "abcdefgh")), direction: .download, remote: try #require(URL(string: "http://a.org/")),
            file: URL(filePath: "/a"), created: Date(timeIntervalSince1970: 0))
        return TransferTracker(record, journal: journal)
    }
}

/// A manual task executor that performs an action before it enqueues the next job.
private final class InterruptingExecutor: TaskExecutor {
    let jobs = ManualTaskExecutor()
    let onEnqueue = Mutex<(@Sendable () -> Void)?>(nil)

    func enqueue(_ job: consuming ExecutorJob) {
        let action = onEnqueue.withLock { $0.take() }
        action?()
        jobs.enqueue(job)
    }
}
