import LadingTesting
import Testing

@testable import LadingOperations

/// The states of an operation, as they come.
@Suite struct StatesTests {
    private let pad = QueuePad(processors: 1)

    /// The states of an operation from now on, as far as they have been told when they are read.
    private func follow(_ operation: AnyOperation) -> Notes<OperationState> {
        let notes = Notes<OperationState>()
        let states = operation.states
        pad.start {
            for await state in states { notes.add(state) }
        }
        return notes
    }

    @Test func `They begin with the present one and end with the last`() {
        let first = BackendOperation("first", lane: .cpu) {}
        let second = BackendOperation("second", lane: .cpu, after: first) { _ in }
        let states = follow(second.erased)

        pad.submit(second)
        pad.executor.runAll()

        #expect(states.all == [.new, .waiting, .ready, .running, .succeeded])
        #expect(follow(second.erased).all == [.succeeded])
    }

    @Test func `Whoever follows late is told what comes from then on`() {
        let gate = Gate()
        let operation = BackendOperation("work", lane: .cpu) { try await gate.pass() }
        pad.submit(operation)
        pad.executor.runAll()

        let states = follow(operation.erased)
        gate.open()
        pad.executor.runAll()

        #expect(states.all == [.running, .succeeded])
    }

    @Test func `Pause, check, exclusion and rest are told`() {
        let rules = OperationRules(
            conditions: [OperationCondition("always") {}], exclusion: "x",
            retry: OperationRetry { _, attempt in attempt == 1 ? .seconds(1) : nil })
        let gate = Gate()
        let holder = BackendOperation("holder", lane: .disk, rules: OperationRules(exclusion: "x")) { try await gate.pass() }
        let operation = BackendOperation<Int>("work", lane: .cpu, rules: rules) { throw QueuePad.Broken() }
        let states = follow(operation.erased)

        operation.pause()
        pad.submit(holder)
        pad.submit(operation)
        pad.executor.runAll()
        operation.resume()
        pad.executor.runAll()
        gate.open()
        pad.advance(by: .seconds(1))

        #expect(
            states.all == [.new, .paused, .ready, .excluded, .ready, .running, .resting, .ready, .running, .failed])
    }

    @Test func `Each of those that share a flight is told its own: the cancelled one its end, the others how it goes on`() {
        let gate = Gate()
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<3).map { _ in BackendOperation("work", key: key, lane: .cpu) { try await gate.pass() } }
        let states = operations.map { follow($0.erased) }
        pad.submit(operations[0])
        pad.submit(operations[1])
        pad.executor.runAll()
        pad.submit(operations[2])

        operations[0].cancel()
        gate.open()
        pad.executor.runAll()

        #expect(states[0].all == [.new, .ready, .running, .cancelled])
        #expect(states[1].all == [.new, .running, .succeeded])
        #expect(states[2].all == [.new, .running, .succeeded])
    }

    @Test func `One cancelled before it is submitted tells just that`() {
        let operation = BackendOperation("work", lane: .cpu) {}
        let states = follow(operation.erased)

        operation.cancel()
        pad.executor.runAll()

        #expect(states.all == [.new, .cancelled])
    }
}
