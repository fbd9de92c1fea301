import LadingTesting
import Testing

@testable import LadingOperations

/// Operations that have to end in time.
@Suite struct DeadlineTests {
    private let pad = QueuePad(processors: 1)
    private let gate = Gate()

    private func isLate(_ operation: AnyOperation) -> Bool {
        if case OperationError.deadlineExceeded? = operation.failure { true } else { false }
    }

    @Test func `Work that runs at its deadline is cancelled`() {
        let operation = BackendOperation("work", lane: .cpu) { [gate] in try await gate.pass() }
        pad.submit(operation, deadline: .seconds(1))

        pad.advance(by: .seconds(1))

        #expect(isLate(operation.erased))
        #expect(gate.waitingCount == 0)
        #expect(pad.queue.isIdle)
    }

    @Test func `What still waits at its deadline does not run`() {
        let runs = Notes<Int>()
        let busy = BackendOperation("busy", lane: .cpu) { [gate] in try await gate.pass() }
        let late = BackendOperation("late", lane: .cpu) { runs.add(1) }
        pad.submit(busy)
        pad.submit(late, deadline: .seconds(1))

        pad.advance(by: .seconds(1))
        gate.open()
        pad.executor.runAll()

        #expect(isLate(late.erased))
        #expect(busy.state == .succeeded)
        #expect(runs.all == [])
    }

    @Test func `The deadline of one that joined leaves the others their value`() {
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<2).map { _ in BackendOperation("work", key: key, lane: .cpu) { [gate] in try await gate.pass() } }
        pad.submit(operations[0], deadline: .seconds(1))
        pad.submit(operations[1])

        pad.advance(by: .seconds(1))
        gate.open()
        pad.executor.runAll()

        #expect(isLate(operations[0].erased))
        #expect(operations[1].state == .succeeded)
    }

    @Test func `What depends on one that was late fails for that reason`() {
        let late = BackendOperation("late", lane: .cpu) { [gate] in try await gate.pass() }
        let next = BackendOperation("next", lane: .cpu, after: late) { _ in }
        pad.submit(late, deadline: .seconds(1))
        pad.submit(next)

        pad.advance(by: .seconds(1))

        guard case .failure(OperationError.dependencyFailed(OperationError.deadlineExceeded)) = next.result else {
            Issue.record("\(String(describing: next.result))")
            return
        }
    }
}
