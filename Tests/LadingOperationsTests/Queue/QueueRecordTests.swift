import LadingTesting
import Synchronization
import Testing

@testable import LadingOperations

/// Tests of the trace and the record of a queue, on a manual task executor.
@Suite struct QueueRecordTests {
    private let executor = ManualTaskExecutor()
    private let queue: BackendQueue

    private struct Broken: Error {}

    init() {
        queue = BackendQueue(executor: executor)
    }

    @Test func `A traced decision has operation, outcome, lane, priority, consumer, parent and reason`() {
        let consumer = queue.makeConsumer()
        let key = OperationKey(verb: "GET", subject: "x")
        let download = BackendOperation<Int>("download", key: key, lane: .network("example.org")) { throw Broken() }
        let parse = BackendOperation("parse", lane: .cpu, after: download) { $0 }
        let again = BackendOperation<Int>("again", key: key, lane: .network("example.org")) { 1 }

        queue.submit(parse, priority: OperationPriority(.visible, distance: 3), for: consumer)
        queue.submit(again, priority: .background)
        executor.runAll()

        #expect(
            queue.trace().map(\.description) == [
                "download: queued in net:example.org, visible 3, consumer 1 (reason 1)",
                "download: started in net:example.org, visible 3, consumer 1 (reason 2)",
                "parse: queued in cpu, visible 3, consumer 1 (reason 1)",
                "again: joined in net:example.org, background 0, no consumer (reason 1)",
                "download: failed in net:example.org, visible 3, consumer 1 for \"parse\" (reason 7)",
                "again: failed in net:example.org, background 0, no consumer (reason 7)",
                "parse: dependencyFailed in cpu, visible 3, consumer 1 (reason 8)",
            ])
    }

    @Test func `An operation that may not join an older flight begins another, whose reason is the age`() {
        let key = OperationKey(verb: "GET", subject: "x")

        for name in ["first", "newer"] {
            queue.submit(BackendOperation(name, key: key, lane: .cpu) { 1 }, noOlderThan: queue.epoch)
        }
        queue.submit(BackendOperation("joining", key: key, lane: .cpu) { 1 })

        #expect(
            queue.trace().filter { $0.outcome != .started }.map { "\($0.operation): \($0.outcome.rawValue), \($0.reason)" } == [
                "first: queued, singleFlight", "newer: queued, staleGeneration", "joining: joined, singleFlight",
            ])
        executor.runAll()
    }

    @Test func `Idle lanes are removed, and the record can still be replayed`() {
        let queue = BackendQueue(recordLimit: 2_000, executor: executor)
        let count = 4 * LaneConfiguration.idleLaneLimit
        var values: [Int] = []

        for index in 0..<count {
            let operations = [Lane("net:\(index)"), Lane("net:\(index % 7)")].map { lane in BackendOperation("op", lane: lane) { index } }
            for operation in operations { queue.submit(operation, priority: .visible) }
            executor.runAll()
            values += operations.compactMap { try? $0.result?.get() }
        }

        #expect(values == (0..<count).flatMap { [$0, $0] })
        #expect(queue.lanes.count <= 2 * LaneConfiguration.idleLaneLimit)
        queue.record.replay { step in #expect(step.effects == step.entry.effects) }
    }

    @Test func `An operation that joins a flight opens no lane`() {
        let key = OperationKey(verb: "GET", subject: "x")
        let queue = BackendQueue(executor: executor)

        for lane in [Lane("one"), Lane("two")] { queue.submit(BackendOperation("op", key: key, lane: lane) { 1 }, priority: .visible) }

        #expect(queue.lanes.map(\.lane) == [Lane("one")])
        executor.runAll()
    }

    @Test func `Times of a trace never decrease, even when the clock goes back`() {
        let clock = NonmonotonicClock()
        let queue = BackendQueue(clock: clock, executor: executor)

        for time in [3, 1, 5, 2] {
            clock.set(.seconds(time))
            queue.submit(BackendOperation("op", lane: .cpu) { 1 }, priority: .visible)
            executor.runAll()
        }

        #expect(queue.trace().map(\.time) == [3, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 5].map { Duration.seconds($0) })
    }

    @Test func `The record of a queue is bounded and can be replayed from its first segment`() {
        let queue = BackendQueue(recordLimit: 10, executor: executor)
        for index in 0..<20 {
            queue.submit(BackendOperation("op\(index)", lane: .cpu) { index }, priority: .visible)
            if index % 3 == 0 { executor.runAll() }
        }

        executor.runAll()

        #expect((5...10).contains(queue.record.entries.count))
        queue.record.replay { step in #expect(step.effects == step.entry.effects) }
    }
}

/// A clock whose time can be set backwards.
private final class NonmonotonicClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let time = Mutex(Instant(offset: .zero))

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }
    func set(_ offset: Duration) { time.withLock { $0 = Instant(offset: offset) } }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
