import LadingTesting
import Synchronization
import Testing

@testable import LadingOperations

/// Tests of the effects that a queue performs, on a manual task executor.
@Suite struct BackendQueueTests {
    private let executor = ManualTaskExecutor()
    private let queue: BackendQueue

    private struct Broken: Error, Equatable {}

    init() {
        queue = BackendQueue(executor: executor)
    }

    @Test func `Dependents receive the values of their dependencies`() throws {
        let number = BackendOperation("number", lane: .cpu) { 6 }
        let text = BackendOperation("text", lane: .cpu) { "seven" }
        let both = BackendOperation("both", lane: .cpu, after: number, text) { number, text in "\(number) \(text)" }

        queue.submit(both, priority: .visible)
        executor.runAll()

        #expect(try both.result?.get() == "6 seven")
        #expect(queue.isIdle)
    }

    @Test func `Operations with equal keys run once and share the value`() throws {
        let runs = Mutex(0)
        let key = OperationKey(verb: "GET", subject: "http://example.org")
        let operations = (0..<2).map { _ in
            BackendOperation("get", key: key, lane: .cpu) {
                runs.withLock { runs in
                    runs += 1
                    return runs
                }
            }
        }

        for operation in operations { queue.submit(operation, priority: .visible) }
        executor.runAll()

        #expect(operations.compactMap { try? $0.result?.get() } == [1, 1])
    }

    @Test func `An operation joins no flight that is older than an epoch of its queue; one of another queue has no effect`() throws {
        let other = BackendQueue(executor: executor)
        for number in 0..<9 { other.submit(BackendOperation("other", lane: .cpu) { number }) }
        let runs = Mutex(0)
        let key = OperationKey(verb: "GET", subject: "http://example.org")
        let operations = (0..<4).map { _ in
            BackendOperation("get", key: key, lane: .cpu) {
                runs.withLock { runs in
                    runs += 1
                    return runs
                }
            }
        }

        queue.submit(operations[0])
        queue.submit(operations[1], noOlderThan: other.epoch)
        queue.submit(operations[2], noOlderThan: queue.epoch)
        queue.submit(operations[3], noOlderThan: other.epoch)
        executor.runAll()

        #expect(operations.compactMap { try? $0.result?.get() } == [1, 1, 2, 2])
    }

    @Test func `Epochs of one queue are ordered by time, and differ from those of other queues`() throws {
        let other = BackendQueue(executor: executor)
        let (start, otherStart) = (queue.epoch, other.epoch)
        let operation = BackendOperation("first", lane: .cpu) { 1 }
        #expect(queue.epoch(of: operation) == nil)

        queue.submit(operation)
        executor.runAll()

        #expect(try #require(queue.epoch(of: operation)) > start)
        #expect(queue.epoch(of: operation) == queue.epoch)
        #expect(start != otherStart)
        #expect(start.isOfSameQueue(as: queue.epoch) && !start.isOfSameQueue(as: otherStart))
    }

    @Test func `Equal keys with different partitions or value types are not shared`() throws {
        let mine = BackendOperation("mine", key: OperationKey(partition: "me", verb: "GET", subject: "x"), lane: .cpu) { 1 }
        let yours = BackendOperation("yours", key: OperationKey(partition: "you", verb: "GET", subject: "x"), lane: .cpu) { 2 }
        let other = BackendOperation("other", key: OperationKey(partition: "me", verb: "GET", subject: "x"), lane: .cpu) { "3" }

        queue.submit(mine, priority: .visible)
        queue.submit(yours, priority: .visible)
        queue.submit(other, priority: .visible)
        executor.runAll()

        #expect(try mine.result?.get() == 1)
        #expect(try yours.result?.get() == 2)
        #expect(try other.result?.get() == "3")
    }

    @Test func `A failure reaches transitive dependents with its root cause`() {
        let first = BackendOperation<Int>("first", lane: .cpu) { throw Broken() }
        let second = BackendOperation("second", lane: .cpu, after: first) { $0 + 1 }
        let third = BackendOperation("third", lane: .cpu, after: second) { $0 + 1 }

        queue.submit(third, priority: .visible)
        executor.runAll()

        guard case .failure(OperationError.dependencyFailed(let cause)) = third.result else {
            Issue.record("\(String(describing: third.result))")
            return
        }
        #expect(cause is Broken)
    }

    @Test func `A dependency that failed earlier fails new dependents`() {
        let first = BackendOperation<Int>("first", lane: .cpu) { throw Broken() }
        queue.submit(first, priority: .visible)
        executor.runAll()

        let second = BackendOperation("second", lane: .cpu, after: first) { $0 + 1 }
        queue.submit(second, priority: .visible)

        #expect(throws: OperationError.self) { try second.result?.get() }
    }

    @Test func `An operation after the completion of others gets all results in order`() throws {
        let parts = (0..<4).map { index in
            BackendOperation("part", lane: .cpu) { if index == 2 { throw Broken() } else { index } }
        }
        let finish = BackendOperation("finish", lane: .cpu, afterCompletionOf: parts) { $0.map { try? $0.get() } }

        queue.submit(finish, priority: .visible)
        executor.runAll()

        #expect(try finish.result?.get() == [0, 1, nil, 3])
    }

    @Test func `An operation can continue with an operation that it creates`() throws {
        let list = BackendOperation("list", lane: .cpu) { [1, 2, 3] }
        let sum = BackendOperation(
            "sum", lane: .cpu, after: list,
            then: { numbers in BackendOperation("add", lane: .cpu) { numbers.reduce(0, +) } })

        queue.submit(sum, priority: .visible)
        executor.runAll()

        #expect(try sum.result?.get() == 6)
        #expect(queue.isIdle)
    }

    @Test func `An operation that continues with an operation of its own key does not wait for itself`() throws {
        let key = OperationKey(verb: "GET", subject: "x")
        let start = BackendOperation("start", lane: .cpu) { 1 }
        let work = BackendOperation(
            "first", key: key, lane: .cpu, after: start, then: { number in BackendOperation("second", key: key, lane: .cpu) { number + 1 } }
        )

        queue.submit(work, priority: .visible)
        executor.runAll()

        #expect(try work.result?.get() == 2)
        #expect(queue.isIdle)
    }

    @Test func `Continuing with an operation that cannot run fails with its error`() throws {
        let broken = BackendOperation<Int>("broken", lane: .cpu) { throw Broken() }
        queue.submit(broken, priority: .visible)
        executor.runAll()
        let start = BackendOperation("start", lane: .cpu) { 1 }
        let work = BackendOperation(
            "work", lane: .cpu, after: start, then: { _ in BackendOperation("next", lane: .cpu, after: broken) { $0 } })

        queue.submit(work, priority: .visible)
        executor.runAll()

        guard case .failure(OperationError.dependencyFailed(is Broken)) = work.result else {
            Issue.record("\(String(describing: work.result))")
            return
        }
    }

    @Test func `Cancelling an operation cancels the task of its work`() {
        let gate = Gate()
        let operation = BackendOperation("wait", lane: .cpu) { try await gate.wait() }
        queue.submit(operation, priority: .visible)
        executor.runAll()
        #expect(gate.waiterCount == 1)

        operation.cancel()
        executor.runAll()

        #expect(gate.waiterCount == 0)
        #expect(throws: CancellationError.self) { try operation.result?.get() }
        #expect(queue.isIdle)
    }

    @Test func `Cancelling one of two operations that share a flight does not affect the other`() throws {
        let gate = Gate()
        let key = OperationKey(verb: "GET", subject: "x")
        let one = BackendOperation("one", key: key, lane: .cpu) { try await gate.wait() }
        let two = BackendOperation("two", key: key, lane: .cpu) { try await gate.wait() }
        queue.submit(one, priority: .visible)
        queue.submit(two, priority: .visible)
        executor.runAll()

        one.cancel()
        gate.open()
        executor.runAll()

        #expect(throws: CancellationError.self) { try one.result?.get() }
        #expect(throws: Never.self) { try two.result?.get() }
    }

    @Test func `An observer is called once, whether it is added before or after completion`() {
        let calls = Mutex(0)
        let operation = BackendOperation("x", lane: .cpu) { 1 }
        operation.onResult { _ in calls.withLock { $0 += 1 } }
        queue.submit(operation, priority: .visible)
        executor.runAll()

        operation.onResult { _ in calls.withLock { $0 += 10 } }
        operation.cancel()

        #expect(calls.withLock { $0 } == 11)
    }

    @Test func `An operation cancelled before it is submitted does not run`() {
        let runs = Mutex(0)
        let operation = BackendOperation("x", lane: .cpu) { runs.withLock { $0 += 1 } }

        operation.cancel()
        queue.submit(operation, priority: .visible)
        executor.runAll()

        #expect(runs.withLock { $0 } == 0)
        #expect(throws: CancellationError.self) { try operation.result?.get() }
    }

    @Test func `Cancelling the task that waits for a value cancels the operation`() async {
        let gate = Gate()
        let queue = BackendQueue()
        let operation = BackendOperation("wait", lane: .cpu) { try await gate.wait() }
        let waiting = Task { try await queue.value(of: operation, priority: .visible) }

        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: CancellationError.self) { try await operation.value }
    }

    @Test func `A chain of 20,000 operations runs and fails without a deep stack`() throws {
        var last = BackendOperation("0", lane: .cpu) { 0 }
        for index in 1..<20_000 {
            last = BackendOperation("\(index)", lane: .cpu, after: last) { if index == 19_999 { throw Broken() } else { $0 + 1 } }
        }
        let end = BackendOperation("end", lane: .cpu, after: last) { $0 }

        queue.submit(end, priority: .visible)
        executor.runAll()

        #expect(throws: OperationError.self) { try end.result?.get() }
        #expect(queue.isIdle)
    }

    @Test func `An operation that would wait for itself fails with the name of the operation in the cycle`() {
        let later = Mutex<BackendOperation<Int>?>(nil)
        let start = BackendOperation("start", lane: .cpu) { 1 }
        let first = BackendOperation<Int>("first", lane: .cpu, after: start, then: { _ in later.withLock { $0 }! })
        let second = BackendOperation("second", lane: .cpu, after: first) { $0 + 1 }
        later.withLock { $0 = second }

        queue.submit(second, priority: .visible)
        executor.runAll()

        guard case .failure(OperationError.cycle(let name)) = first.result else {
            Issue.record("\(String(describing: first.result))")
            return
        }
        #expect(name == "second")
        #expect(throws: OperationError.self) { try second.result?.get() }
        #expect(queue.isIdle)
    }

    @Test func `An operation that fails without running cancels dependencies that no other operation needs`() {
        let failed = BackendOperation<Int>("failed", lane: .cpu) { throw Broken() }
        queue.submit(failed, priority: .visible)
        executor.runAll()
        let failing = BackendOperation("hopeless", lane: .cpu, after: failed) { $0 }
        let unneeded = BackendOperation("needless", lane: .cpu) { 1 }
        queue.pause()

        queue.submit(BackendOperation("both", lane: .cpu, after: unneeded, failing) { $0 + $1 }, priority: .visible)

        #expect(throws: CancellationError.self) { try unneeded.result?.get() }
        #expect(queue.isIdle)
    }

    @Test func `A paused queue starts nothing until it is resumed`() throws {
        let operation = BackendOperation("work", lane: .cpu) { 1 }
        queue.pause()

        queue.submit(operation, priority: .visible)
        executor.runAll()
        #expect(operation.result == nil)

        queue.resume()
        executor.runAll()
        #expect(try operation.result?.get() == 1)
    }

    @Test(arguments: [
        (remaining: 16_383, of: 100_000, isFinished: true), (16_384, 100_000, false), (29_999, 300_000, true), (30_000, 300_000, false),
        (65_535, 9_000_000, true), (65_536, 9_000_000, false),
    ])
    func `A cancelled transfer is completed when few bytes remain`(remaining: Int, of total: Int, isFinished: Bool) {
        let gate = Gate()
        let ended = Mutex<Bool?>(nil)
        let operation = BackendOperation("transfer", lane: .cpu) {
            OperationProgress.current?.report(completed: total - remaining, total: total)
            do { try await gate.wait() } catch {
                ended.withLock { $0 = false }
                throw error
            }
            ended.withLock { $0 = true }
        }
        queue.submit(operation, priority: .visible)
        executor.runAll()

        operation.cancel()
        executor.runAll()
        gate.open()
        executor.runAll()

        #expect(ended.withLock { $0 } == isFinished)
        #expect(queue.isIdle)
    }

    @Test func `Thousands of operations are completed or cancelled correctly`() {
        let queue = BackendQueue(lanes: LaneConfiguration(named: [.cpu: LaneLimits(width: 1)]), executor: executor)
        for round in 0..<3 {
            queue.pause()
            let operations = (0..<3_000).map { index in BackendOperation("op", lane: .cpu) { round * 3_000 + index } }
            for operation in operations { queue.submit(operation, priority: .visible) }
            for (index, operation) in operations.enumerated() where index % 2 == 0 { operation.cancel() }
            queue.resume()
            executor.runAll()

            let values = operations.map { try? $0.result?.get() }
            #expect(values == (0..<3_000).map { $0 % 2 == 0 ? nil : round * 3_000 + $0 })
            #expect(queue.isIdle)
        }
    }
}
