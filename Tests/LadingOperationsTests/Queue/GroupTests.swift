import LadingTesting
import Testing

@testable import LadingOperations

/// Operations that are dealt with together.
@Suite struct GroupTests {
    private let pad = QueuePad(processors: 1)

    @Test func `A group is submitted, paused, resumed, followed and waited for as one`() {
        let group = OperationGroup((0..<3).map { index in BackendOperation("\(index)", lane: .cpu) {}.erased })
        let notes = Notes<String>()
        group.pause()
        group.submit(to: pad.queue, .visible)
        pad.start {
            await group.ended()
            notes.add("ended")
        }
        #expect(group.operations.map(\.state) == [.paused, .paused, .paused])
        #expect(group.progress.snapshot.fraction == 0)

        group.resume()
        pad.executor.runAll()

        #expect(notes.all == ["ended"])
        #expect(group.progress.snapshot.fraction == 1)
    }

    @Test func `Cancelling a group cancels each, whether it waits, runs or is new`() {
        let gate = Gate()
        let group = OperationGroup((0..<2).map { index in BackendOperation("\(index)", lane: .cpu) { try await gate.pass() }.erased })
        group.submit(to: pad.queue, .visible)
        pad.executor.runAll()
        group.add(BackendOperation("new", lane: .cpu) {}.erased)

        group.cancel()
        pad.executor.runAll()

        #expect(group.operations.map(\.state) == [.cancelled, .cancelled, .cancelled])
        #expect(pad.queue.isIdle)
    }
}
