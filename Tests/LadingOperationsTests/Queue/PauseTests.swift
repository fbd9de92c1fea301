import LadingTesting
import Testing

@testable import LadingOperations

@Suite struct PauseTests {
    private let harness = QueueHarness(processors: 1)

    @Test func `An operation that is paused before its submission starts when it is resumed`() {
        let operation = BackendOperation("work", lane: .cpu) {}
        operation.pause()
        harness.submit(operation)
        harness.executor.runAll()
        #expect(operation.state == .paused)

        operation.resume()
        harness.executor.runAll()

        #expect(operation.state == .succeeded)
    }

    @Test func `An operation that is paused while it is ready starts when it is resumed, and others run meanwhile`() {
        let operations = (0..<2).map { _ in BackendOperation("work", lane: .cpu) {} }
        harness.queue.pause()
        for operation in operations { harness.submit(operation) }

        operations[0].pause()
        harness.queue.resume()
        harness.executor.runAll()
        #expect(operations.map(\.state) == [.paused, .succeeded])

        operations[0].resume()
        harness.executor.runAll()
        #expect(operations[0].state == .succeeded)
    }

    @Test func `A paused operation does not block another that shares its flight`() {
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<2).map { _ in BackendOperation("work", key: key, lane: .cpu) {} }
        harness.queue.pause()
        for operation in operations { harness.submit(operation) }

        operations[0].pause()
        #expect(operations.map(\.state) == [.paused, .ready])
        harness.queue.resume()
        harness.executor.runAll()

        #expect(operations.map(\.state) == [.succeeded, .succeeded])
    }

    @Test func `Pausing does not stop running work`() {
        let gate = Gate()
        let operation = BackendOperation("work", lane: .cpu) { try await gate.wait() }
        harness.submit(operation)
        harness.executor.runAll()

        operation.pause()
        gate.open()
        harness.executor.runAll()

        #expect(operation.state == .succeeded)
    }
}
