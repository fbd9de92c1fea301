import LadingTesting
import Synchronization
import Testing

@testable import LadingOperations

/// Tests of `waitUntilIdle` and `shutDown`.
@Suite struct ShutdownTests {
    private let harness = QueueHarness(processors: 1)
    private let gate = Gate()
    private let calls = Recorder<String>()

    @Test func `Waiting until idle includes operations that are submitted meanwhile`() {
        let (queue, notes) = (harness.queue, calls)
        let first = BackendOperation("first", lane: .cpu) { [gate] in try await gate.wait() }
        harness.submit(first)
        harness.start {
            await queue.waitUntilIdle()
            notes.append("idle")
        }
        harness.submit(BackendOperation("second", lane: .cpu) { notes.append("second") })
        harness.executor.runAll()
        #expect(notes.all == [])

        gate.open()
        harness.executor.runAll()

        #expect(notes.all == ["second", "idle"])
    }

    @Test func `Shutting down cancels everything and waits for the tasks`() {
        let (queue, notes) = (harness.queue, calls)
        let end = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let uncancellable = BackendOperation("stubborn", lane: .cpu) {
            await withCheckedContinuation { continuation in end.withLock { $0 = continuation } }
            notes.append("task has ended")
        }
        let waiting = BackendOperation("waiting", lane: .cpu) { notes.append("ran") }
        harness.submit(uncancellable)
        harness.submit(waiting)
        harness.executor.runAll()

        harness.start {
            await queue.shutDown()
            notes.append("shut down")
        }
        #expect([uncancellable.state, waiting.state] == [.cancelled, .cancelled])
        #expect(notes.all == [])
        end.withLock { $0?.resume() }
        harness.executor.runAll()

        #expect(notes.all == ["task has ended", "shut down"])
    }

    @Test func `Work does not begin while everything is being cancelled`() {
        let (harness, notes) = (QueueHarness(processors: 2), calls)
        // During its cancellation handler, others have been removed from the queue without being notified yet.
        let first = BackendOperation("first", lane: .cpu) {
            await withTaskCancellationHandler {
                notes.append("first")
                try? await Gate().wait()
            } onCancel: {
                harness.executor.runAll()
            }
        }
        let second = BackendOperation("second", lane: .cpu) { notes.append("second") }
        harness.submit(first)
        harness.executor.runAll()
        harness.submit(second)

        harness.queue.cancelAll()
        harness.executor.runAll()

        #expect(notes.all == ["first"])
        #expect([first.state, second.state] == [.cancelled, .cancelled])
    }

    @Test func `A graceful shutdown completes submitted operations and those that they continue with`() {
        let (queue, notes, gate) = (harness.queue, calls, gate)
        let first = BackendOperation("first", lane: .cpu) { try await gate.wait() }
        let work = BackendOperation(
            "work", lane: .cpu, after: first, then: { _ in BackendOperation("next", lane: .cpu) { notes.append("next") } })
        harness.submit(work)
        harness.executor.runAll()

        harness.start {
            await queue.shutDown(gracefully: true)
            notes.append("shut down")
        }
        gate.open()
        harness.executor.runAll()

        #expect(work.state == .succeeded)
        #expect(notes.all == ["next", "shut down"])
    }

    @Test func `A graceful shutdown cancels paused operations and operations in paused lanes`() {
        let (queue, notes, gate) = (harness.queue, calls, gate)
        let running = BackendOperation("running", lane: .cpu) { try await gate.wait() }
        let paused = BackendOperation("paused", lane: .cpu) { notes.append("ran") }
        let after = BackendOperation("after", lane: .cpu, after: paused) { notes.append("ran") }
        let stuck = BackendOperation("stuck", lane: .disk) { notes.append("ran") }
        paused.pause()
        queue.pause(.lane(.disk))
        for operation in [running, after, stuck] { harness.submit(operation) }
        harness.executor.runAll()

        harness.start {
            await queue.shutDown(gracefully: true)
            notes.append("shut down")
        }
        #expect([running.state, paused.state, after.state, stuck.state] == [.running, .cancelled, .cancelled, .cancelled])
        gate.open()
        harness.executor.runAll()

        #expect(running.state == .succeeded)
        #expect(notes.all == ["shut down"])
    }

    @Test func `Operations that are paused during a graceful shutdown are cancelled`() {
        let (queue, notes, gate) = (harness.queue, calls, gate)
        let first = BackendOperation("first", lane: .cpu) { try await gate.wait() }
        let second = BackendOperation("second", lane: .cpu) { notes.append("ran") }
        let third = BackendOperation("third", lane: .cpu, after: first) { notes.append("ran") }
        for operation in [first, second, third] { harness.submit(operation) }
        harness.executor.runAll()
        harness.start {
            await queue.shutDown(gracefully: true)
            notes.append("shut down")
        }

        second.pause()
        #expect(second.state == .cancelled)
        queue.pause(.lane(.cpu))
        gate.open()
        harness.executor.runAll()

        #expect([first.state, third.state] == [.succeeded, .cancelled])
        #expect(notes.all == ["shut down"])
    }

    @Test func `Operations submitted after the shutdown fail`() {
        let queue = harness.queue
        harness.start { await queue.shutDown() }
        let operation = BackendOperation("late", lane: .cpu) {}

        harness.submit(operation)

        guard case OperationError.queueShutDown? = operation.failure else {
            Issue.record("\(String(describing: operation.failure))")
            return
        }
    }
}
