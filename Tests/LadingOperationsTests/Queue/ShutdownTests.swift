import LadingTesting
import Synchronization
import Testing

@testable import LadingOperations

/// Waiting for idle, and the end of a queue.
@Suite struct ShutdownTests {
    private let pad = QueuePad(processors: 1)
    private let gate = Gate()
    private let notes = Notes<String>()

    @Test func `Idle is when nothing waits or runs any more, what came meanwhile included`() {
        let (queue, notes) = (pad.queue, notes)
        let first = BackendOperation("first", lane: .cpu) { [gate] in try await gate.pass() }
        pad.submit(first)
        pad.start {
            await queue.idle()
            notes.add("idle")
        }
        pad.submit(BackendOperation("second", lane: .cpu) { notes.add("second") })
        pad.executor.runAll()
        #expect(notes.all == [])

        gate.open()
        pad.executor.runAll()

        #expect(notes.all == ["second", "idle"])
    }

    @Test func `Shutting down cancels everything and waits for the tasks`() {
        let (queue, notes) = (pad.queue, notes)
        let end = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let stubborn = BackendOperation("stubborn", lane: .cpu) {
            await withCheckedContinuation { continuation in end.withLock { $0 = continuation } }
            notes.add("task has ended")
        }
        let waiting = BackendOperation("waiting", lane: .cpu) { notes.add("ran") }
        pad.submit(stubborn)
        pad.submit(waiting)
        pad.executor.runAll()

        pad.start {
            await queue.shutDown()
            notes.add("shut down")
        }
        #expect([stubborn.state, waiting.state] == [.cancelled, .cancelled])
        #expect(notes.all == [])
        end.withLock { $0?.resume() }
        pad.executor.runAll()

        #expect(notes.all == ["task has ended", "shut down"])
    }

    @Test func `Finishing, it lets everything end that was submitted, and what that goes on with`() {
        let (queue, notes, gate) = (pad.queue, notes, gate)
        let first = BackendOperation("first", lane: .cpu) { try await gate.pass() }
        let work = BackendOperation(
            "work", lane: .cpu, after: first, then: { _ in BackendOperation("next", lane: .cpu) { notes.add("next") } })
        pad.submit(work)
        pad.executor.runAll()

        pad.start {
            await queue.shutDown(finishing: true)
            notes.add("shut down")
        }
        gate.open()
        pad.executor.runAll()

        #expect(work.state == .succeeded)
        #expect(notes.all == ["next", "shut down"])
    }

    @Test func `What is submitted after the shutdown fails`() {
        let queue = pad.queue
        pad.start { await queue.shutDown() }
        let operation = BackendOperation("late", lane: .cpu) {}

        pad.submit(operation)

        guard case OperationError.queueShutDown? = operation.failure else {
            Issue.record("\(String(describing: operation.failure))")
            return
        }
    }
}
