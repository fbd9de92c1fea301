import LadingTesting
import Testing

@testable import LadingOperations

/// Tests of the priority and the task-local values of the tasks of operations.
@Suite struct TaskContextTests {
    @TaskLocal private static var submitter: String?

    /// The context of a check or of work.
    private struct Context: Equatable, Sendable {
        let name: String
        var priority = TaskPriority.userInitiated
        var submitter: String?
    }

    private let harness = QueueHarness(processors: 1)
    private let contexts = Recorder<Context>()

    private func record(_ name: String) {
        contexts.append(Context(name: name, priority: Task.currentPriority, submitter: Self.submitter))
    }

    private func operation(_ name: String, through gate: Gate? = nil) -> BackendOperation<Void> {
        let rules = OperationRules(conditions: [OperationCondition("condition") { record("check of \(name)") }])
        return BackendOperation(name, lane: .cpu, rules: rules) {
            record(name)
            try await gate?.wait()
        }
    }

    /// Submits an operation in a task of this priority, with its name as task-local value.
    private func submit(_ operation: BackendOperation<Void>, at priority: TaskPriority) {
        let task = Task(executorPreference: harness.executor, priority: priority) { submit(operation) }
        harness.executor.runAll()
        _ = task
    }

    private func submit(_ operation: BackendOperation<Void>) {
        Self.$submitter.withValue(operation.name) { harness.submit(operation) }
    }

    @Test func `Work and checks have neither the priority nor the task-local values of a submitter`() {
        let gate = Gate()

        submit(operation("first", through: gate), at: .background)
        submit(operation("second"), at: .high)
        gate.open()
        harness.executor.runAll()

        #expect(contexts.all == ["check of first", "first", "check of second", "second"].map { Context(name: $0) })
        #expect(harness.queue.isIdle)
    }
}
