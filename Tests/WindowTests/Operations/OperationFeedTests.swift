import LadingOperations
import LadingTesting
import NIOCore
import Testing

@testable import Window

/// The updates of open pages of operations, on a manual clock.
@Suite struct OperationFeedTests {
    private let clock = ManualClock()
    private let queue = BackendQueue(executor: ManualTaskExecutor())
    /// The numbers of the decisions in each encoded update.
    private let encodings = Log()
    private let feed: OperationFeed

    init() {
        feed = OperationFeed(queue, clock: clock) { [encodings] update in
            encodings.append("\(update.decisions.map(\.number))")
            return "{}"
        }
    }

    private func submit() { queue.submit(BackendOperation("one", lane: .cpu) { 1 }, priority: .visible) }

    private func advance() async {
        _ = await clock.nextTimer()
        clock.advance(by: OperationFeed.interval)
    }

    @Test func `An update is encoded once for all pages that have received the same decisions`() async {
        let pages = (0..<200).map { _ in feed.openPage() }
        submit()
        let count = queue.trace().count

        await advance()

        for page in pages {
            var updates = page.updates.makeAsyncIterator()
            let update = await updates.next()
            #expect(page.next == 0 && update?.numbers == 0..<count)
            feed.closePage()
        }
        #expect(encodings.lines == ["\(Array(0..<count))"])
    }

    @Test func `A page begins after the decisions of earlier updates, which it reads itself`() async {
        let first = feed.openPage()
        submit()
        await advance()
        var updates = first.updates.makeAsyncIterator()
        let update = await updates.next()

        let second = feed.openPage()

        #expect(update?.numbers == 0..<second.next)
        #expect(feed.update(from: 0, before: second.next).numbers == 0..<second.next)
        for _ in 1...2 { feed.closePage() }
    }

    @Test func `Decisions that were made while no page was open are in no update`() async {
        _ = feed.openPage()
        _ = await clock.nextTimer()
        feed.closePage()
        submit()

        let page = feed.openPage()

        #expect(page.next == queue.trace().count)
        feed.closePage()
    }

    @Test func `A slow page reads the updates that did not fit into its buffer`() async throws {
        let (slow, fast) = (feed.openPage(), feed.openPage())
        var updates = fast.updates.makeAsyncIterator()
        for _ in 0..<OperationFeed.bufferLimit + 2 {
            submit()
            await advance()
            _ = await updates.next()
        }

        var remaining = slow.updates.makeAsyncIterator()
        let next = await remaining.next()

        let end = try #require(next).numbers.lowerBound
        #expect(end > slow.next && feed.update(from: slow.next, before: end).numbers == slow.next..<end)
        for _ in 1...2 { feed.closePage() }
    }

    @Test func `Without decisions all pages receive the state of the lanes now and then`() async {
        let pages = (0..<3).map { _ in feed.openPage() }

        // The intervals in 15 s.
        for _ in 0..<150 { await advance() }

        for page in pages {
            var updates = page.updates.makeAsyncIterator()
            let update = await updates.next()
            #expect(update?.numbers == 0..<0)
            feed.closePage()
        }
        #expect(encodings.lines == ["[]"])
    }

    @Test func `Decisions that the queue does not have any more are reported as missing`() {
        let queue = BackendQueue(recordLimit: 4, executor: ManualTaskExecutor())
        let feed = OperationFeed(queue, clock: clock) { "\($0.missingCount) \($0.decisions.map(\.number))" }
        for _ in 1...10 { queue.submit(BackendOperation("one", lane: .cpu) { 1 }, priority: .visible) }
        let count = queue.trace().last.map { $0.number + 1 } ?? 0

        let update = feed.update(from: 0, before: count)
        let lost = feed.update(from: 0, before: 2)

        #expect(update.numbers == 0..<count)
        #expect(String(buffer: update.event).contains("\(count - 4) \(Array(count - 4..<count))"))
        #expect(lost.numbers == 0..<2 && String(buffer: lost.event).contains("2 []"))
    }
}
