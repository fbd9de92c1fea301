import LadingTesting
import Testing

@testable import LadingOperations

@Suite struct GroupTests {
    private let harness = QueueHarness(processors: 1)

    @Test func `A group is submitted, paused, resumed, observed and awaited as one`() {
        let group = OperationGroup((0..<3).map { index in BackendOperation("\(index)", lane: .cpu) {}.erased })
        let calls = Recorder<String>()
        group.pause()
        group.submit(to: harness.queue)
        harness.start {
            await group.waitUntilCompleted()
            calls.append("ended")
        }
        #expect(group.operations.map(\.state) == [.paused, .paused, .paused])
        #expect(group.progress.snapshot.fraction == 0)

        group.resume()
        harness.executor.runAll()

        #expect(calls.all == ["ended"])
        #expect(group.progress.snapshot.fraction == 1)
    }

    @Test func `Cancelling a group cancels waiting, running and new members`() {
        let gate = Gate()
        let group = OperationGroup((0..<2).map { index in BackendOperation("\(index)", lane: .cpu) { try await gate.wait() }.erased })
        group.submit(to: harness.queue)
        harness.executor.runAll()
        group.add(BackendOperation("new", lane: .cpu) {}.erased)

        group.cancel()
        harness.executor.runAll()

        #expect(group.operations.map(\.state) == [.cancelled, .cancelled, .cancelled])
        #expect(harness.queue.isIdle)
    }
}
