import LadingTesting
import Synchronization
import Testing

@testable import LadingOperations

/// Plain operations that are submitted while their lane has no slot to spare.
@Suite(.timeLimit(.minutes(5))) struct InboxTests {
    private let pad = QueuePad(processors: 1)
    private let gate = Gate()
    private let order = Notes<String>()

    /// Something that fills the lane until the gate opens.
    private func fillLane() {
        let gate = gate
        pad.submit(BackendOperation("long", lane: .cpu) { try await gate.pass() })
        pad.executor.runAll()
    }

    private func operation(_ name: String) -> BackendOperation<Int> {
        let order = order
        return BackendOperation(name, lane: .cpu) {
            order.add(name)
            return 1
        }
    }

    private func post(_ operation: BackendOperation<Int>, _ priority: OperationPriority = .background) {
        pad.queue.submit(operation, priority: priority)
        #expect(isPosted(operation), "\(operation.erased.name) was not left in the inbox")
    }

    private func isPosted(_ operation: BackendOperation<Int>) -> Bool {
        if case .posted = operation.erased.place { true } else { false }
    }

    private func openGate() {
        gate.open()
        pad.executor.runAll()
    }

    @Test func `They run when the lane has room, most urgent first and then in order`() {
        fillLane()
        for name in ["a", "b"] { post(operation(name)) }
        post(operation("visible"), .visible)
        post(operation("near"), OperationPriority(.prefetch, distance: 1))

        openGate()

        #expect(order.all == ["visible", "near", "a", "b"])
        #expect(pad.queue.isIdle)
    }

    @Test func `They wait like all others: for the lane, for who asks, and in the trace`() throws {
        fillLane()
        let waiting = operation("waiting")
        post(waiting)

        #expect(waiting.state == .ready)
        #expect(!pad.queue.isIdle)
        #expect(pad.queue.lanes.first?.waiting == 1)
        #expect(pad.queue.trace().map(\.operation) == ["long", "long", "waiting"])
        #expect(pad.queue.trace().last?.outcome == .began)
        let next = operation("next")
        post(next)
        #expect(try #require(next.erased.flightMark) > #require(waiting.erased.flightMark))
    }

    @Test func `The trace tells when they were submitted, not when they were taken in`() throws {
        fillLane()
        pad.advance(by: .seconds(2))
        post(operation("early"))
        pad.advance(by: .seconds(5))

        let told = try #require(pad.queue.trace().last)

        #expect(told.operation == "early")
        #expect(told.time == .seconds(2))
    }

    @Test func `Whoever is told each decision is told of them at once`() {
        let told = Notes<String>()
        pad.queue.onDecision { told.add("\($0.operation) \($0.outcome)") }
        fillLane()

        pad.queue.submit(operation("waiting"), priority: .background)

        #expect(told.all.last == "waiting began")
    }

    @Test func `They can be cancelled, paused and made more urgent`() {
        fillLane()
        let operations = ["cancelled", "paused", "usual", "urgent", "asked again"].map { operation($0) }
        for operation in operations { post(operation) }

        operations[0].cancel()
        operations[1].pause()
        operations[3].prioritize(.visible)
        pad.queue.submit(operations[4], priority: .prefetch)
        openGate()

        #expect(order.all == ["urgent", "asked again", "usual"])
        #expect(operations.map(\.state) == [.cancelled, .paused, .succeeded, .succeeded, .succeeded])
        operations[1].resume()
        pad.executor.runAll()
        #expect(operations[1].state == .succeeded)
    }

    @Test func `Others may depend on them, and follow their states`() async {
        fillLane()
        let first = operation("first")
        post(first)
        let states = first.states
        let second = BackendOperation("second", lane: .cpu, after: first) { $0 + 1 }

        pad.queue.submit(second, priority: .visible)
        openGate()

        #expect(second.result.flatMap { try? $0.get() } == 2)
        var seen: [OperationState] = []
        for await state in states { seen.append(state) }
        #expect(seen == [.ready, .running, .succeeded])
    }

    @Test(arguments: [false, true]) func `A queue that is shut down ends them, or finishes them first`(finishing: Bool) {
        fillLane()
        let waiting = operation("waiting")
        post(waiting)
        let queue = pad.queue

        pad.start { await queue.shutDown(finishing: finishing) }
        let late = operation("late")
        queue.submit(late, priority: .visible)
        openGate()

        #expect(waiting.state == (finishing ? .succeeded : .cancelled))
        #expect(late.failure.map { "\($0)" } == "\(OperationError.queueShutDown)")
        #expect(queue.isIdle)
    }

    @Test func `All of them are cancelled with all others`() {
        fillLane()
        let waiting = operation("waiting")
        post(waiting)

        pad.queue.cancelAll()

        #expect(waiting.state == .cancelled)
        pad.executor.runAll()
        #expect(order.all.isEmpty && pad.queue.isIdle)
    }

    @Test func `What is out of the ordinary goes to the queue itself`() {
        fillLane()
        let paused = operation("paused")
        paused.pause()
        let keyed = BackendOperation("keyed", key: OperationKey(verb: "GET", subject: "x"), lane: .cpu) { 1 }
        let followed = operation("followed")
        let states = followed.states
        let elsewhere = BackendOperation("elsewhere", lane: .disk) { 1 }

        for operation in [paused, keyed, followed, elsewhere] { pad.submit(operation) }

        for operation in [paused, keyed, followed, elsewhere] {
            #expect(!isPosted(operation), "\(operation.erased.name) was left in the inbox")
        }
        _ = states
    }

    /// Several threads submit to a lane that is full most of the time, and change their minds; every operation ends, and once.
    @Test(arguments: Seeds.several(3)) func `None is lost when everybody comes at once`(seed: UInt64) async {
        let queue = BackendQueue(lanes: LanePlan(processors: 2))
        let (ends, runs) = (Count(), Count())
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
        await queue.idle()

        #expect(ends.value == 12_000, "LADING_SEED=\(seed)")
        #expect(runs.value <= 12_000, "LADING_SEED=\(seed)")
        #expect(queue.isIdle)
    }
}

/// A number that several threads add to.
private final class Count: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add(_ count: Int) { number.withLock { $0 += count } }
}
