import LadingTesting
import Testing

@testable import LadingOperations

@Suite struct DeadlineTests {
    private let harness = QueueHarness(processors: 1)
    private let gate = Gate()

    private func hasExceededDeadline(_ operation: AnyOperation) -> Bool {
        if case OperationError.deadlineExceeded? = operation.failure { true } else { false }
    }

    @Test func `Work that runs at its deadline is cancelled`() {
        let operation = BackendOperation("work", lane: .cpu) { [gate] in try await gate.wait() }
        harness.submit(operation, deadline: .seconds(1))

        harness.advance(by: .seconds(1))

        #expect(hasExceededDeadline(operation.erased))
        #expect(gate.waiterCount == 0)
        #expect(harness.queue.isIdle)
    }

    @Test func `An operation that still waits at its deadline does not run`() {
        let runs = Recorder<Int>()
        let busy = BackendOperation("busy", lane: .cpu) { [gate] in try await gate.wait() }
        let late = BackendOperation("late", lane: .cpu) { runs.append(1) }
        harness.submit(busy)
        harness.submit(late, deadline: .seconds(1))

        harness.advance(by: .seconds(1))
        gate.open()
        harness.executor.runAll()

        #expect(hasExceededDeadline(late.erased))
        #expect(busy.state == .succeeded)
        #expect(runs.all == [])
    }

    @Test func `The deadline of one operation does not affect others that share its flight`() {
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<2).map { _ in BackendOperation("work", key: key, lane: .cpu) { [gate] in try await gate.wait() } }
        harness.submit(operations[0], deadline: .seconds(1))
        harness.submit(operations[1])

        harness.advance(by: .seconds(1))
        gate.open()
        harness.executor.runAll()

        #expect(hasExceededDeadline(operations[0].erased))
        #expect(operations[1].state == .succeeded)
    }

    /// Deadlines in seconds of the first and the second submission, the first one as a dependency if it is nil.
    @Test(arguments: [(nil, 2), (3, 2), (2, 3)] as [(Int?, Int)])
    func `The earlier deadline applies to an operation that is submitted again`(first: Int?, second: Int) {
        let work = BackendOperation("work", lane: .cpu) { [gate] in try await gate.wait() }
        if let first { harness.submit(work, deadline: .seconds(first)) }
        harness.submit(BackendOperation("next", lane: .cpu, after: work) { _ in })
        harness.executor.runAll()

        harness.submit(work, deadline: .seconds(second))
        harness.advance(by: .milliseconds(1_999))
        #expect(work.state == .running)
        harness.advance(by: .milliseconds(1))

        #expect(hasExceededDeadline(work.erased))
        #expect(gate.waiterCount == 0 && harness.queue.isIdle)
    }

    @Test func `Dependents of an operation that exceeded its deadline fail with that cause`() {
        let late = BackendOperation("late", lane: .cpu) { [gate] in try await gate.wait() }
        let next = BackendOperation("next", lane: .cpu, after: late) { _ in }
        harness.submit(late, deadline: .seconds(1))
        harness.submit(next)

        harness.advance(by: .seconds(1))

        guard case .failure(OperationError.dependencyFailed(OperationError.deadlineExceeded)) = next.result else {
            Issue.record("\(String(describing: next.result))")
            return
        }
    }
}
