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

    // MARK: Setbacks

    @Test func `All who wait for it hear of a setback, however far behind it they are`() {
        let (notes, work) = (Notes<String>(), operation(failures: 1))
        let next = BackendOperation("next", lane: .cpu, after: work) { _ in }
        let last = BackendOperation("last", lane: .cpu, after: next) { _ in }
        let stranger = BackendOperation("stranger", lane: .cpu) {}
        for (name, operation) in [("next", next), ("last", last), ("stranger", stranger)] {
            operation.onSetback { notes.add("\(name): \($0.error), \($0.pause)") }
        }
        pad.submit(last)
        pad.submit(stranger)

        pad.executor.runAll()
        #expect(notes.all.sorted() == ["last: Broken(), 1.0 seconds", "next: Broken(), 1.0 seconds"])
        #expect(last.setback?.error is QueuePad.Broken && stranger.setback == nil)
        pad.advance(by: .seconds(1))

        #expect(last.state == .succeeded && notes.all.count == 2)
    }

    @Test func `One that joins a flight knows of its setbacks`() {
        let key = OperationKey(verb: "GET", subject: "x")
        let rules = OperationRules(retry: OperationRetry { _, _ in .seconds(1) })
        let operations = (0..<2).map { _ in
            BackendOperation("work", key: key, lane: .cpu, rules: rules) { throw QueuePad.Broken() }
        }
        let heard = Notes<String>()
        operations[1].onSetback { _ in heard.add("joined") }
        pad.submit(operations[0])
        pad.executor.runAll()

        pad.submit(operations[1])
        #expect(operations[1].setback != nil && heard.all == [])
        pad.advance(by: .seconds(1))

        #expect(heard.all == ["joined"])
    }

    @Test func `A failure for good is no setback, and neither is a cancelled attempt`() {
        let failing = operation(failures: 1, limit: 1)
        pad.submit(failing)
        pad.executor.runAll()

        #expect(failing.state == .failed && failing.setback == nil)
    }
}
