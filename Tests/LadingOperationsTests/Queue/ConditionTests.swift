import LadingTesting
import Testing

@testable import LadingOperations

@Suite struct ConditionTests {
    private let harness = QueueHarness(processors: 1)
    private let calls = Recorder<String>()

    private func condition(_ name: String, through gate: Gate? = nil, failing: Bool = false) -> OperationCondition {
        OperationCondition(name) { [calls] in
            calls.append(name)
            try await gate?.wait()
            if failing { throw QueueHarness.Broken() }
        }
    }

    @Test func `Conditions are checked in order before the work runs`() throws {
        let rules = OperationRules(conditions: [condition("one"), condition("two")])
        let operation = BackendOperation("work", lane: .cpu, rules: rules) { [calls] in calls.append("work") }

        harness.submit(operation)
        harness.executor.runAll()

        #expect(calls.all == ["one", "two", "work"])
        #expect(operation.state == .succeeded)
    }

    @Test func `A failed condition fails the operation and its dependents with its error`() {
        let rules = OperationRules(conditions: [condition("one", failing: true), condition("two")])
        let operation = BackendOperation("work", lane: .cpu, rules: rules) { [calls] in calls.append("work") }
        let dependent = BackendOperation("dependent", lane: .cpu, after: operation) { _ in }

        harness.submit(dependent)
        harness.executor.runAll()

        #expect(calls.all == ["one"])
        #expect(operation.failure is QueueHarness.Broken)
        #expect(dependent.failure.map { OperationError.rootCause(of: $0) } is QueueHarness.Broken)
        #expect(harness.queue.isIdle)
    }

    @Test func `An operation that waits for a condition holds no slot`() {
        let gate = Gate()
        let checked = BackendOperation("checked", lane: .cpu, rules: OperationRules(conditions: [condition("gate", through: gate)])) {}
        let other = BackendOperation("other", lane: .cpu) {}

        harness.submit(checked)
        harness.submit(other)
        harness.executor.runAll()

        #expect(checked.state == .checking)
        #expect(other.state == .succeeded)
        gate.open()
        harness.executor.runAll()
        #expect(checked.state == .succeeded)
    }

    @Test func `Cancelling an operation cancels its check, and the queue is idle when the check has ended`() {
        let gate = Gate()
        let operation = BackendOperation("work", lane: .cpu, rules: OperationRules(conditions: [condition("gate", through: gate)])) {}
        harness.submit(operation)
        harness.executor.runAll()

        operation.cancel()

        #expect(operation.state == .cancelled)
        #expect(!harness.queue.isIdle)
        harness.executor.runAll()
        #expect(gate.waiterCount == 0)
        #expect(harness.queue.isIdle)
    }

    @Test func `Cancelling an operation before its check begins runs no condition`() {
        let operation = BackendOperation("work", lane: .cpu, rules: OperationRules(conditions: [condition("one")])) {}

        harness.submit(operation)
        operation.cancel()
        harness.executor.runAll()

        #expect(operation.state == .cancelled)
        #expect(harness.queue.isIdle)
    }
}
