import LadingTesting
import Testing

@testable import LadingOperations

@Suite struct StatesTests {
    private let harness = QueueHarness(processors: 1)

    /// Returns a recorder of the operation's states from now on.
    private func observe(_ operation: AnyOperation) -> Recorder<OperationState> {
        let recorded = Recorder<OperationState>()
        let states = operation.states
        harness.start {
            for await state in states { recorded.append(state) }
        }
        return recorded
    }

    @Test func `States begin with the current one and end with the final one`() {
        let first = BackendOperation("first", lane: .cpu) {}
        let second = BackendOperation("second", lane: .cpu, after: first) { _ in }
        let states = observe(second.erased)

        harness.submit(second)
        harness.executor.runAll()

        #expect(states.all == [.new, .waiting, .ready, .running, .succeeded])
        #expect(observe(second.erased).all == [.succeeded])
    }

    /// The handler takes the lock of the operation. A sender that held it would wait for the handler, and the handler for the sender.
    @Test(.timeLimit(.minutes(10))) func `A reader may cancel the operation when its task is cancelled, while states are sent`() async {
        let queue = BackendQueue()
        for _ in 1...2_000 {
            let operation = BackendOperation("work", lane: .cpu) {}
            let states = operation.erased.states
            let (received, report) = AsyncStream.makeStream(of: Void.self)
            let reader = Task {
                await withTaskCancellationHandler {
                    for await _ in states { report.yield() }
                } onCancel: {
                    operation.cancel()
                }
            }
            for await _ in received { break }
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { queue.submit(operation) }
                tasks.addTask { reader.cancel() }
            }
            await reader.value
        }
    }

    @Test func `A late observer gets the current state and those after it`() {
        let gate = Gate()
        let operation = BackendOperation("work", lane: .cpu) { try await gate.wait() }
        harness.submit(operation)
        harness.executor.runAll()

        let states = observe(operation.erased)
        gate.open()
        harness.executor.runAll()

        #expect(states.all == [.running, .succeeded])
    }

    @Test func `Pause, check, exclusion and retry delay are reported as states`() {
        let rules = OperationRules(
            conditions: [OperationCondition("always") {}], exclusionGroup: "x",
            retry: OperationRetry { _, attempt in attempt == 1 ? .seconds(1) : nil })
        let gate = Gate()
        let holder = BackendOperation("holder", lane: .disk, rules: OperationRules(exclusionGroup: "x")) { try await gate.wait() }
        let operation = BackendOperation<Int>("work", lane: .cpu, rules: rules) { throw QueueHarness.Broken() }
        let states = observe(operation.erased)

        operation.pause()
        harness.submit(holder)
        harness.submit(operation)
        harness.executor.runAll()
        operation.resume()
        harness.executor.runAll()
        gate.open()
        harness.advance(by: .seconds(1))

        #expect(
            states.all == [.new, .paused, .ready, .excluded, .ready, .running, .awaitingRetry, .ready, .running, .failed])
    }

    @Test func `Each operation of a shared flight gets its own states`() {
        let gate = Gate()
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<3).map { _ in BackendOperation("work", key: key, lane: .cpu) { try await gate.wait() } }
        let states = operations.map { observe($0.erased) }
        harness.submit(operations[0])
        harness.submit(operations[1])
        harness.executor.runAll()
        harness.submit(operations[2])

        operations[0].cancel()
        gate.open()
        harness.executor.runAll()

        #expect(states[0].all == [.new, .ready, .running, .cancelled])
        #expect(states[1].all == [.new, .running, .succeeded])
        #expect(states[2].all == [.new, .running, .succeeded])
    }

    @Test func `An operation cancelled before its submission reports only that`() {
        let operation = BackendOperation("work", lane: .cpu) {}
        let states = observe(operation.erased)

        operation.cancel()
        harness.executor.runAll()

        #expect(states.all == [.new, .cancelled])
    }
}
