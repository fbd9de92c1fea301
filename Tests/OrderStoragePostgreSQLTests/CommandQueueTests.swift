@testable import OrderStoragePostgreSQL
import Testing

/// The decisions of batches of commands.
@Suite("Queue of commands")
struct CommandQueueTests {
    private typealias Queue = CommandQueue<Int>

    private let start = ContinuousClock.now

    /// Returns a queue whose commands have orders of their own.
    private func makeQueue() -> Queue { Queue(waitLimit: .seconds(10)) { $0 } }

    /// Returns a queue in which ten commands each have the same order: 10 to 19, 20 to 29.
    private func makeQueueOfOrders() -> Queue { Queue(waitLimit: .seconds(10)) { $0 / 10 } }

    /// Adds commands, and returns the batches that begin.
    private func add(_ commands: some Sequence<Int>, to queue: inout Queue) -> [[Int]] {
        commands.compactMap { command in
            if case .begin(let batch) = queue.add(command, at: start) { batch } else { nil }
        }
    }

    private func endInterval(_ queue: inout Queue) -> (batch: [Int]?, continues: Bool) {
        let end = queue.endInterval(at: start)
        #expect(end.expired.isEmpty)
        return (end.batch, end.continues)
    }

    @Test func `Commands begin at once while fewer than two batches run`() {
        var queue = makeQueue()

        #expect(add(1..<5, to: &queue) == [[1], [2]])
    }

    @Test func `Commands that wait form the next batch, in the order of their arrival`() {
        var queue = makeQueue()
        _ = add(1..<6, to: &queue)

        #expect(queue.endBatch([1]) == [3, 4, 5])
        #expect(queue.endBatch([2]) == nil)
        #expect(add(6..<8, to: &queue) == [[6]], "the batch of three commands runs")
    }

    @Test func `A batch contains at most 32 commands`() {
        var queue = makeQueue()
        _ = add(1..<43, to: &queue)

        #expect(queue.endBatch([1]) == Array(3..<35))
        #expect(queue.endBatch([2]) == Array(35..<43))
        #expect(queue.endBatch(Array(3..<35)) == nil)
    }

    @Test func `The first command that waits starts the timer, which goes on while commands wait`() {
        var queue = makeQueue()
        _ = add(1..<3, to: &queue)

        guard case .startTimer = queue.add(3, at: start), case .wait = queue.add(4, at: start) else {
            Issue.record("the timer starts with the first command that waits")
            return
        }
        _ = queue.endBatch([1])
        _ = add(5..<6, to: &queue)
        let (early, continues) = endInterval(&queue)
        #expect(early == nil, "a batch has begun during the interval")
        #expect(continues)
        #expect(queue.endBatch([2]) == [5])
        #expect(endInterval(&queue) == (nil, false))
        guard case .startTimer = queue.add(6, at: start) else {
            Issue.record("the timer starts again")
            return
        }
    }

    @Test func `Commands begin beside batches that wait for the whole interval`() {
        var queue = makeQueue()
        _ = add(1..<4, to: &queue)

        #expect(endInterval(&queue) == ([3], true))
        #expect(add(4..<6, to: &queue) == [])
        #expect(queue.endBatch([1]) == nil, "two others run")
        #expect(endInterval(&queue) == ([4, 5], true))
    }

    @Test func `At most six batches run, however long they wait`() {
        var queue = makeQueue()
        _ = add(1..<3, to: &queue)

        let batches = (3..<13).compactMap { command in
            _ = add([command], to: &queue)
            return endInterval(&queue).batch
        }

        #expect(batches == [[3], [4], [5], [6]])
        #expect(queue.endBatch([3]) == nil, "five others run")
        #expect(endInterval(&queue) == (Array(7..<13), true))
        #expect(endInterval(&queue) == (nil, false))
    }

    @Test func `A command waits while a batch with its order runs, and commands on other orders pass it`() {
        var queue = makeQueueOfOrders()

        #expect(add([10, 11, 20, 30], to: &queue) == [[10], [20]])
        #expect(endInterval(&queue) == (nil, true), "a batch has begun during the interval")
        #expect(endInterval(&queue) == ([30], true))
        #expect(endInterval(&queue) == (nil, true), "order 1 is in a batch that runs")
        #expect(queue.endBatch([20]) == nil)
        #expect(queue.endBatch([10]) == [11])
    }

    @Test func `Commands on one order are in different batches, in the order of their arrival`() {
        var queue = makeQueueOfOrders()
        _ = add([10, 20, 11, 21, 12, 30, 31], to: &queue)

        #expect(queue.endBatch([10]) == [11, 30])
        #expect(queue.endBatch([11, 30]) == [12, 31])
        #expect(queue.endBatch([12, 31]) == nil, "order 2 is in a batch that runs")
        #expect(queue.endBatch([20]) == [21])
    }

    @Test func `A command that is executed alone shares no batch`() {
        var queue = makeQueue()
        _ = add(1..<4, to: &queue)
        for command in 4..<6 { _ = queue.add(command, isAlone: true, at: start) }
        _ = add(6..<7, to: &queue)

        #expect(queue.endBatch([1]) == [3, 6])
        #expect(queue.endBatch([2]) == [4])
        #expect(queue.endBatch([4]) == [5])
    }

    @Test func `Commands that create orders share a batch`() {
        var queue = Queue(waitLimit: .seconds(10)) { _ in nil }
        _ = add(1..<6, to: &queue)

        #expect(queue.endBatch([1]) == [3, 4, 5])
    }

    @Test func `A command that has waited too long expires, and no batch begins it`() {
        var queue = makeQueueOfOrders()
        _ = add([10, 20, 11], to: &queue)
        _ = queue.add(21, at: start + .seconds(1))

        let early = queue.endInterval(at: start + .milliseconds(9_999))
        let end = queue.endInterval(at: start + .seconds(10))

        #expect(early.expired == [])
        #expect(end.expired == [11])
        #expect(end.batch == nil)
        #expect(end.continues, "another command waits")
        #expect(queue.endBatch([10]) == nil)
        #expect(queue.endBatch([20]) == [21])
    }
}

private func == (result: (batch: [Int]?, continues: Bool), expected: ([Int]?, Bool)) -> Bool {
    result.batch == expected.0 && result.continues == expected.1
}
