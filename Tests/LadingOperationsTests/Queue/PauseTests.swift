import LadingTesting
import Testing

@testable import LadingOperations

/// Operations that are paused, one by one.
@Suite struct PauseTests {
    private let pad = QueuePad(processors: 1)

    @Test func `One that is paused before it is submitted starts when it is resumed`() {
        let operation = BackendOperation("work", lane: .cpu) {}
        operation.pause()
        pad.submit(operation)
        pad.executor.runAll()
        #expect(operation.state == .paused)

        operation.resume()
        pad.executor.runAll()

        #expect(operation.state == .succeeded)
    }

    @Test func `One that is paused in line starts when it is resumed, and others go by`() {
        let operations = (0..<2).map { _ in BackendOperation("work", lane: .cpu) {} }
        pad.queue.pause()
        for operation in operations { pad.submit(operation) }

        operations[0].pause()
        pad.queue.resume()
        pad.executor.runAll()
        #expect(operations.map(\.state) == [.paused, .succeeded])

        operations[0].resume()
        pad.executor.runAll()
        #expect(operations[0].state == .succeeded)
    }

    @Test func `One of two that share a flight cannot keep the other from its value`() {
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<2).map { _ in BackendOperation("work", key: key, lane: .cpu) {} }
        pad.queue.pause()
        for operation in operations { pad.submit(operation) }

        operations[0].pause()
        #expect(operations.map(\.state) == [.paused, .ready])
        pad.queue.resume()
        pad.executor.runAll()

        #expect(operations.map(\.state) == [.succeeded, .succeeded])
    }

    @Test func `Work that has begun goes on`() {
        let gate = Gate()
        let operation = BackendOperation("work", lane: .cpu) { try await gate.pass() }
        pad.submit(operation)
        pad.executor.runAll()

        operation.pause()
        gate.open()
        pad.executor.runAll()

        #expect(operation.state == .succeeded)
    }
}
