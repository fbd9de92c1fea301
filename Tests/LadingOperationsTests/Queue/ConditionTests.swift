import LadingTesting
import Testing

@testable import LadingOperations

/// Conditions that are checked before an operation starts.
@Suite struct ConditionTests {
    private let pad = QueuePad(processors: 1)
    private let notes = Notes<String>()

    private func condition(_ name: String, through gate: Gate? = nil, failing: Bool = false) -> OperationCondition {
        OperationCondition(name) { [notes] in
            notes.add(name)
            try await gate?.pass()
            if failing { throw QueuePad.Broken() }
        }
    }

    @Test func `Conditions are checked one after the other, and then the work runs`() throws {
        let rules = OperationRules(conditions: [condition("one"), condition("two")])
        let operation = BackendOperation("work", lane: .cpu, rules: rules) { [notes] in notes.add("work") }

        pad.submit(operation)
        pad.executor.runAll()

        #expect(notes.all == ["one", "two", "work"])
        #expect(operation.state == .succeeded)
    }

    @Test func `A condition that does not hold fails the operation with its reason, and what depends on it`() {
        let rules = OperationRules(conditions: [condition("one", failing: true), condition("two")])
        let operation = BackendOperation("work", lane: .cpu, rules: rules) { [notes] in notes.add("work") }
        let dependent = BackendOperation("dependent", lane: .cpu, after: operation) { _ in }

        pad.submit(dependent)
        pad.executor.runAll()

        #expect(notes.all == ["one"])
        #expect(operation.failure is QueuePad.Broken)
        #expect(dependent.failure.map { OperationError.rootCause(of: $0) } is QueuePad.Broken)
        #expect(pad.queue.isIdle)
    }

    @Test func `An operation that waits for a condition holds no slot`() {
        let gate = Gate()
        let checked = BackendOperation("checked", lane: .cpu, rules: OperationRules(conditions: [condition("gate", through: gate)])) {}
        let other = BackendOperation("other", lane: .cpu) {}

        pad.submit(checked)
        pad.submit(other)
        pad.executor.runAll()

        #expect(checked.state == .checking)
        #expect(other.state == .succeeded)
        gate.open()
        pad.executor.runAll()
        #expect(checked.state == .succeeded)
    }

    @Test func `Cancelling cancels the check, and the queue is idle when that has ended`() {
        let gate = Gate()
        let operation = BackendOperation("work", lane: .cpu, rules: OperationRules(conditions: [condition("gate", through: gate)])) {}
        pad.submit(operation)
        pad.executor.runAll()

        operation.cancel()

        #expect(operation.state == .cancelled)
        #expect(!pad.queue.isIdle)
        pad.executor.runAll()
        #expect(gate.waitingCount == 0)
        #expect(pad.queue.isIdle)
    }

    @Test func `Cancelling before the check has begun checks nothing`() {
        let operation = BackendOperation("work", lane: .cpu, rules: OperationRules(conditions: [condition("one")])) {}

        pad.submit(operation)
        operation.cancel()
        pad.executor.runAll()

        #expect(operation.state == .cancelled)
        #expect(pad.queue.isIdle)
    }
}
