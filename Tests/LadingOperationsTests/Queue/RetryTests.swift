import LadingTesting
import Testing

@testable import LadingOperations

/// Work that failed and is tried again.
@Suite struct RetryTests {
    private let pad = QueuePad(processors: 1)
    private let notes = Notes<Int>()

    /// Fails this often, each time to be tried again a second per attempt later, at most `limit` times.
    private func operation(failures: Int, limit: Int = 9) -> BackendOperation<Int> {
        let rules = OperationRules(retry: OperationRetry { _, attempt in attempt < limit ? .seconds(attempt) : nil })
        return BackendOperation("work", lane: .cpu, rules: rules) { [notes] in
            notes.add(notes.all.count + 1)
            if notes.all.count <= failures { throw QueuePad.Broken() }
            return notes.all.count
        }
    }

    @Test func `Failed work is tried again when its time has come`() throws {
        let operation = operation(failures: 2)
        pad.submit(operation)

        pad.executor.runAll()
        #expect(notes.all == [1])
        #expect(operation.state == .resting)
        pad.advance(by: .milliseconds(999))
        #expect(notes.all == [1])
        pad.advance(by: .milliseconds(1))
        #expect(notes.all == [1, 2])
        pad.advance(by: .seconds(2))

        #expect(try operation.result?.get() == 3)
        #expect(pad.queue.isIdle)
    }

    @Test func `While it rests its slot is free`() {
        pad.submit(operation(failures: 1))
        let other = BackendOperation("other", lane: .cpu) {}
        pad.submit(other)

        pad.executor.runAll()

        #expect(other.state == .succeeded)
    }

    @Test func `The last failure is that of the operation`() {
        let operation = operation(failures: 9, limit: 2)
        pad.submit(operation)

        pad.advance(by: .seconds(1))

        #expect(notes.all == [1, 2])
        #expect(operation.failure is QueuePad.Broken)
    }

    @Test func `What rests can be cancelled, and is not tried again`() {
        let operation = operation(failures: 1)
        pad.submit(operation)
        pad.executor.runAll()

        operation.cancel()
        pad.advance(by: .seconds(5))

        #expect(notes.all == [1])
        #expect(operation.state == .cancelled)
        #expect(pad.queue.isIdle)
    }

    @Test func `A leader that is cancelled while it rests is tried again for those who joined it`() throws {
        let key = OperationKey(verb: "GET", subject: "x")
        let rules = OperationRules(retry: OperationRetry { _, _ in .seconds(1) })
        let operations = (0..<2).map { _ in
            BackendOperation("work", key: key, lane: .cpu, rules: rules) { [notes] in
                notes.add(1)
                if notes.all.count == 1 { throw QueuePad.Broken() }
            }
        }
        for operation in operations { pad.submit(operation) }
        pad.executor.runAll()

        operations[0].cancel()
        pad.advance(by: .seconds(1))

        #expect(operations.map(\.state) == [.cancelled, .succeeded])
        #expect(notes.all.count == 2)
    }
}
