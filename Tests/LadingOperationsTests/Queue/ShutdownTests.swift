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

    @Test func `Work that is about to begin while everything is cancelled does not begin`() {
        let (pad, notes) = (QueuePad(processors: 2), notes)
        // While it is told that it is cancelled, others have been taken out of the queue, and have not been told yet.
        let first = BackendOperation("first", lane: .cpu) {
            await withTaskCancellationHandler {
                notes.add("first")
                try? await Gate().pass()
            } onCancel: {
                pad.executor.runAll()
            }
        }
        let second = BackendOperation("second", lane: .cpu) { notes.add("second") }
        pad.submit(first)
        pad.executor.runAll()
        pad.submit(second)

        pad.queue.cancelAll()
        pad.executor.runAll()

        #expect(notes.all == ["first"])
        #expect([first.state, second.state] == [.cancelled, .cancelled])
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

    @Test func `Finishing, it cancels what is paused, alone or with its lane`() {
        let (queue, notes, gate) = (pad.queue, notes, gate)
        let running = BackendOperation("running", lane: .cpu) { try await gate.pass() }
        let paused = BackendOperation("paused", lane: .cpu) { notes.add("ran") }
        let after = BackendOperation("after", lane: .cpu, after: paused) { notes.add("ran") }
        let stuck = BackendOperation("stuck", lane: .disk) { notes.add("ran") }
        paused.pause()
        queue.pause(.lane(.disk))
        for operation in [running, after, stuck] { pad.submit(operation) }
        pad.executor.runAll()

        pad.start {
            await queue.shutDown(finishing: true)
            notes.add("shut down")
        }
        #expect([running.state, paused.state, after.state, stuck.state] == [.running, .cancelled, .cancelled, .cancelled])
        gate.open()
        pad.executor.runAll()

        #expect(running.state == .succeeded)
        #expect(notes.all == ["shut down"])
    }

    @Test func `What comes to be paused while the rest is finished is cancelled, too`() {
        let (queue, notes, gate) = (pad.queue, notes, gate)
        let first = BackendOperation("first", lane: .cpu) { try await gate.pass() }
        let second = BackendOperation("second", lane: .cpu) { notes.add("ran") }
        let third = BackendOperation("third", lane: .cpu, after: first) { notes.add("ran") }
        for operation in [first, second, third] { pad.submit(operation) }
        pad.executor.runAll()
        pad.start {
            await queue.shutDown(finishing: true)
            notes.add("shut down")
        }

        second.pause()
        #expect(second.state == .cancelled)
        queue.pause(.lane(.cpu))
        gate.open()
        pad.executor.runAll()

        #expect([first.state, third.state] == [.succeeded, .cancelled])
        #expect(notes.all == ["shut down"])
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
