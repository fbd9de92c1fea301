@testable import OrderStoragePostgreSQL
import Testing

/// The decisions of batches of commands.
@Suite("Queue of commands")
struct CommandQueueTests {
    private typealias Queue = CommandQueue<Int>

    /// Adds commands, and returns the batches that begin.
    private func add(_ commands: Range<Int>, to queue: inout Queue) -> [[Int]] {
        commands.compactMap { command in
            if case .begin(let batch) = queue.add(command) { batch } else { nil }
        }
    }

    @Test func `Commands begin at once while fewer than two batches run`() {
        var queue = Queue()

        #expect(add(1..<5, to: &queue) == [[1], [2]])
    }

    @Test func `Commands that wait form the next batch, in the order of their arrival`() {
        var queue = Queue()
        _ = add(1..<6, to: &queue)

        #expect(queue.endBatch() == [3, 4, 5])
        #expect(queue.endBatch() == nil)
        #expect(add(6..<8, to: &queue) == [[6]], "the batch of three commands runs")
    }

    @Test func `A batch contains at most 32 commands`() {
        var queue = Queue()
        _ = add(1..<43, to: &queue)

        #expect(queue.endBatch() == Array(3..<35))
        #expect(queue.endBatch() == Array(35..<43))
        #expect(queue.endBatch() == nil)
    }

    @Test func `The first command that waits starts the timer, which goes on while commands wait`() {
        var queue = Queue()
        _ = add(1..<3, to: &queue)

        guard case .startTimer = queue.add(3), case .wait = queue.add(4) else {
            Issue.record("the timer starts with the first command that waits")
            return
        }
        _ = queue.endBatch()
        _ = add(5..<6, to: &queue)
        let (early, continues) = queue.endInterval()
        #expect(early == nil, "a batch has begun during the interval")
        #expect(continues)
        #expect(queue.endBatch() == [5])
        #expect(queue.endInterval() == (nil, false))
        guard case .startTimer = queue.add(6) else {
            Issue.record("the timer starts again")
            return
        }
    }

    @Test func `Commands begin beside batches that wait for the whole interval`() {
        var queue = Queue()
        _ = add(1..<4, to: &queue)

        #expect(queue.endInterval() == ([3], true))
        #expect(add(4..<6, to: &queue) == [])
        #expect(queue.endBatch() == nil, "two others run")
        #expect(queue.endInterval() == ([4, 5], true))
    }
}

private func == (result: (batch: [Int]?, continues: Bool), expected: ([Int]?, Bool)) -> Bool {
    result.batch == expected.0 && result.continues == expected.1
}
