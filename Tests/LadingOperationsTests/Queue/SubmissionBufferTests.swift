import LadingTesting
import Synchronization
import Testing

@testable import LadingOperations

/// Tests of plain operations that are submitted to a full lane.
@Suite(.timeLimit(.minutes(5))) struct SubmissionBufferTests {
    private let harness = QueueHarness(processors: 1)
    private let gate = Gate()
    private let order = Recorder<String>()

    /// Fills the lane with an operation that waits for the gate.
    private func fillLane() {
        let gate = gate
        harness.submit(BackendOperation("long", lane: .cpu) { try await gate.wait() })
        harness.executor.runAll()
    }

    private func operation(_ name: String) -> BackendOperation<Int> {
        let order = order
        return BackendOperation(name, lane: .cpu) {
            order.append(name)
            return 1
        }
    }

    private func post(_ operation: BackendOperation<Int>, _ priority: OperationPriority = .background) {
        harness.queue.submit(operation, priority: priority)
        #expect(isPosted(operation), "\(operation.erased.name) was not left in the inbox")
    }

    private func isPosted(_ operation: BackendOperation<Int>) -> Bool {
        if case .posted = operation.erased.position { true } else { false }
    }

    private func openGate() {
        gate.open()
        harness.executor.runAll()
    }

    @Test func `Operations in the inbox run when the lane has a free slot, most urgent first, then in order`() {
        fillLane()
        for name in ["a", "b"] { post(operation(name)) }
        post(operation("visible"), .visible)
        post(operation("near"), OperationPriority(.prefetch, distance: 1))

        openGate()

        #expect(order.all == ["visible", "near", "a", "b"])
        #expect(harness.queue.isIdle)
    }

    @Test func `Operations in the inbox count as waiting in the lane, in their state and in the trace`() throws {
        fillLane()
        let waiting = operation("waiting")
        post(waiting)

        #expect(waiting.state == .ready)
        #expect(!harness.queue.isIdle)
        #expect(harness.queue.lanes.first?.waiting == 1)
        #expect(harness.queue.trace().map(\.operation) == ["long", "long", "waiting"])
        #expect(harness.queue.trace().last?.outcome == .queued)
        let next = operation("next")
        post(next)
        #expect(try #require(next.erased.flightEpoch) > #require(waiting.erased.flightEpoch))
    }

    @Test func `The trace has the time of the submission, not of draining the inbox`() throws {
        fillLane()
        harness.advance(by: .seconds(2))
        post(operation("early"))
        harness.advance(by: .seconds(5))

        let decision = try #require(harness.queue.trace().last)

        #expect(decision.operation == "early")
        #expect(decision.time == .seconds(2))
    }

    @Test func `An observer of decisions is notified of submissions immediately`() {
        let decisions = Recorder<String>()
        harness.queue.onDecision { decisions.append("\($0.operation) \($0.outcome)") }
        fillLane()

        harness.queue.submit(operation("waiting"), priority: .background)

        #expect(decisions.all.last == "waiting began")
    }

    @Test func `Operations in the inbox can be cancelled, paused and prioritized`() {
        fillLane()
        let operations = ["cancelled", "paused", "usual", "urgent", "asked again"].map { operation($0) }
        for operation in operations { post(operation) }

        operations[0].cancel()
        operations[1].pause()
        operations[3].prioritize(.visible)
        harness.queue.submit(operations[4], priority: .prefetch)
        openGate()

        #expect(order.all == ["urgent", "asked again", "usual"])
        #expect(operations.map(\.state) == [.cancelled, .paused, .succeeded, .succeeded, .succeeded])
        operations[1].resume()
        harness.executor.runAll()
        #expect(operations[1].state == .succeeded)
    }

    @Test func `Operations in the inbox can have dependents and state observers`() async {
        fillLane()
        let first = operation("first")
        post(first)
        let states = first.states
        let second = BackendOperation("second", lane: .cpu, after: first) { $0 + 1 }

        harness.queue.submit(second, priority: .visible)
        openGate()

        #expect(second.result.flatMap { try? $0.get() } == 2)
        var seen: [OperationState] = []
        for await state in states { seen.append(state) }
        #expect(seen == [.ready, .running, .succeeded])
    }

    @Test(arguments: [false, true]) func `Shutting down cancels the operations in the inbox, or completes them first`(finishing: Bool) {
        fillLane()
        let waiting = operation("waiting")
        post(waiting)
        let queue = harness.queue

        harness.start { await queue.shutDown(gracefully: finishing) }
        let late = operation("late")
        queue.submit(late, priority: .visible)
        openGate()

        #expect(waiting.state == (finishing ? .succeeded : .cancelled))
        #expect(late.failure.map { "\($0)" } == "\(OperationError.queueShutDown)")
        #expect(queue.isIdle)
    }

    @Test func `Cancelling everything cancels the operations in the inbox`() {
        fillLane()
        let waiting = operation("waiting")
        post(waiting)

        harness.queue.cancelAll()

        #expect(waiting.state == .cancelled)
        harness.executor.runAll()
        #expect(order.all.isEmpty && harness.queue.isIdle)
    }

    @Test func `Operations that are not plain bypass the inbox`() {
        fillLane()
        let paused = operation("paused")
        paused.pause()
        let keyed = BackendOperation("keyed", key: OperationKey(verb: "GET", subject: "x"), lane: .cpu) { 1 }
        let observed = operation("followed")
        let states = observed.states
        let elsewhere = BackendOperation("elsewhere", lane: .disk) { 1 }

        for operation in [paused, keyed, observed, elsewhere] { harness.submit(operation) }

        for operation in [paused, keyed, observed, elsewhere] {
            #expect(!isPosted(operation), "\(operation.erased.name) was left in the inbox")
        }
        _ = states
    }

    /// Submits and cancels on several threads while the lane is full most of the time. Each operation must complete exactly once.
    @Test(arguments: TestSeeds.seeds(count: 3)) func `No operation is lost when several threads submit and cancel at the same time`(
        seed: UInt64
    ) async {
        let queue = BackendQueue(lanes: LaneConfiguration(processors: 2))
        let (ends, runs) = (Counter(), Counter())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask { [ends, runs] in
                    var random = SeededRandom(seed: seed &+ UInt64(number))
                    var last: BackendOperation<Int>?
                    for index in 0..<3_000 {
                        let operation = BackendOperation("\(number)-\(index)", lane: .cpu) {
                            runs.add(1)
                            return index
                        }
                        operation.onResult { _ in ends.add(1) }
                        queue.submit(operation, priority: OperationPriority(.background, distance: Int(random.next() % 3)))
                        switch random.next() % 8 {
                        case 0: operation.cancel()
                        case 1: operation.prioritize(.visible)
                        case 2: last?.cancel()
                        case 3:
                            operation.pause()
                            operation.resume()
                        case 4:
                            let dependent = BackendOperation("after \(number)-\(index)", lane: .cpu, after: operation) { $0 }
                            dependent.onResult { _ in ends.add(1) }
                            queue.submit(dependent, priority: .prefetch)
                            ends.add(-1)
                        case 5: _ = operation.state
                        default: break
                        }
                        last = operation
                    }
                }
            }
        }
        await queue.waitUntilIdle()

        #expect(ends.value == 12_000, "LADING_SEED=\(seed)")
        #expect(runs.value <= 12_000, "LADING_SEED=\(seed)")
        #expect(queue.isIdle)
    }
}

/// A thread-safe counter.
private final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add(_ count: Int) { number.withLock { $0 += count } }
}
