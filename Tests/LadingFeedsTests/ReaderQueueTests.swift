import LadingTesting
import Synchronization
import Testing
import UpdateMerging

@Suite struct ReaderQueueTests {
    private let executor = ManualTaskExecutor()
    private let readers = ReaderQueue()

    /// Starts a task that waits for its reading, which the test ends.
    private func start(_ name: String, _ events: Recorder) -> Task<Void, Never> {
        let task = Task(executorPreference: executor) { [readers] in
            events.append(await readers.begin() ? "\(name) reads" : "\(name) is cancelled")
        }
        executor.runAll()
        return task
    }

    @Test func `Tasks read one after the other, in the order of their calls`() {
        let events = Recorder()
        for name in ["a", "b", "c"] { _ = start(name, events) }
        #expect(events.all == ["a reads"])

        for _ in 0..<2 {
            readers.end()
            executor.runAll()
        }

        #expect(events.all == ["a reads", "b reads", "c reads"])
    }

    @Test func `A task that is cancelled while it waits does not read`() {
        let events = Recorder()
        _ = start("a", events)
        let waiting = start("b", events)
        _ = start("c", events)

        waiting.cancel()
        executor.runAll()
        readers.end()
        executor.runAll()

        #expect(events.all == ["a reads", "b is cancelled", "c reads"])
    }

    @Test func `A task that is cancelled before its call does not read, also if no other does`() {
        let events = Recorder()
        let task = Task(executorPreference: executor) { [readers] in
            events.append(await readers.begin() ? "reads" : "is cancelled")
        }
        task.cancel()
        executor.runAll()

        #expect(events.all == ["is cancelled"])
        _ = start("next", events)
        #expect(events.all.last == "next reads")
    }

    @Test func `After the end of the last task the next one reads at once`() {
        let events = Recorder()
        for name in ["a", "b"] {
            _ = start(name, events)
            readers.end()
        }

        #expect(events.all == ["a reads", "b reads"])
    }

    /// A list of events.
    private final class Recorder: Sendable {
        private let events = Mutex<[String]>([])

        var all: [String] { events.withLock { $0 } }

        func append(_ event: String) { events.withLock { $0.append(event) } }
    }
}
