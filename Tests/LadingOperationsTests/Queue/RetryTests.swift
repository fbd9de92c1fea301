import LadingTesting
import Testing

@testable import LadingOperations

@Suite struct RetryTests {
    private let harness = QueueHarness(processors: 1)
    private let attempts = Recorder<Int>()

    /// Returns an operation that fails this often; each retry is delayed by a second per attempt, up to `limit` attempts.
    private func operation(failures: Int, limit: Int = 9) -> BackendOperation<Int> {
        let rules = OperationRules(retry: OperationRetry { _, attempt in attempt < limit ? .seconds(attempt) : nil })
        return BackendOperation("work", lane: .cpu, rules: rules) { [attempts] in
            attempts.append(attempts.all.count + 1)
            if attempts.all.count <= failures { throw QueueHarness.Broken() }
            return attempts.all.count
        }
    }

    @Test func `Failed work is retried after its delay`() throws {
        let operation = operation(failures: 2)
        harness.submit(operation)

        harness.executor.runAll()
        #expect(attempts.all == [1])
        #expect(operation.state == .awaitingRetry)
        harness.advance(by: .milliseconds(999))
        #expect(attempts.all == [1])
        harness.advance(by: .milliseconds(1))
        #expect(attempts.all == [1, 2])
        harness.advance(by: .seconds(2))

        #expect(try operation.result?.get() == 3)
        #expect(harness.queue.isIdle)
    }

    @Test func `An operation that awaits a retry holds no slot`() {
        harness.submit(operation(failures: 1))
        let other = BackendOperation("other", lane: .cpu) {}
        harness.submit(other)

        harness.executor.runAll()

        #expect(other.state == .succeeded)
    }

    @Test func `The operation fails with the error of its last attempt`() {
        let operation = operation(failures: 9, limit: 2)
        harness.submit(operation)

        harness.advance(by: .seconds(1))

        #expect(attempts.all == [1, 2])
        #expect(operation.failure is QueueHarness.Broken)
    }

    @Test func `An operation that awaits a retry can be cancelled, and is not retried`() {
        let operation = operation(failures: 1)
        harness.submit(operation)
        harness.executor.runAll()

        operation.cancel()
        harness.advance(by: .seconds(5))

        #expect(attempts.all == [1])
        #expect(operation.state == .cancelled)
        #expect(harness.queue.isIdle)
    }

    @Test func `A flight is retried for its other waiters when its leader is cancelled while it awaits the retry`() throws {
        let key = OperationKey(verb: "GET", subject: "x")
        let rules = OperationRules(retry: OperationRetry { _, _ in .seconds(1) })
        let operations = (0..<2).map { _ in
            BackendOperation("work", key: key, lane: .cpu, rules: rules) { [attempts] in
                attempts.append(1)
                if attempts.all.count == 1 { throw QueueHarness.Broken() }
            }
        }
        for operation in operations { harness.submit(operation) }
        harness.executor.runAll()

        operations[0].cancel()
        harness.advance(by: .seconds(1))

        #expect(operations.map(\.state) == [.cancelled, .succeeded])
        #expect(attempts.all.count == 2)
    }

    // MARK: Retry observers

    @Test func `Retry observers of transitive dependents are notified`() {
        let (notes, work) = (Recorder<String>(), operation(failures: 1))
        let next = BackendOperation("next", lane: .cpu, after: work) { _ in }
        let last = BackendOperation("last", lane: .cpu, after: next) { _ in }
        let unrelated = BackendOperation("stranger", lane: .cpu) {}
        for (name, operation) in [("next", next), ("last", last), ("stranger", unrelated)] {
            operation.onRetry { notes.append("\(name): \($0.error), \($0.delay)") }
        }
        harness.submit(last)
        harness.submit(unrelated)

        harness.executor.runAll()
        #expect(notes.all.sorted() == ["last: Broken(), 1.0 seconds", "next: Broken(), 1.0 seconds"])
        #expect(last.lastRetry?.error is QueueHarness.Broken && unrelated.lastRetry == nil)
        harness.advance(by: .seconds(1))

        #expect(last.state == .succeeded && notes.all.count == 2)
    }

    @Test func `An operation that joins a flight has its last retry`() {
        let key = OperationKey(verb: "GET", subject: "x")
        let rules = OperationRules(retry: OperationRetry { _, _ in .seconds(1) })
        let operations = (0..<2).map { _ in
            BackendOperation("work", key: key, lane: .cpu, rules: rules) { throw QueueHarness.Broken() }
        }
        let notified = Recorder<String>()
        operations[1].onRetry { _ in notified.append("joined") }
        harness.submit(operations[0])
        harness.executor.runAll()

        harness.submit(operations[1])
        #expect(operations[1].lastRetry != nil && notified.all == [])
        harness.advance(by: .seconds(1))

        #expect(notified.all == ["joined"])
    }

    @Test func `A final failure is not reported as a retry`() {
        let failing = operation(failures: 1, limit: 1)
        harness.submit(failing)
        harness.executor.runAll()

        #expect(failing.state == .failed && failing.lastRetry == nil)
    }
}
