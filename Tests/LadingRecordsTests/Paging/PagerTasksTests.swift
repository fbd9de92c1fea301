import Decisions
import Synchronization
import Testing
@testable import LadingRecords

@Suite struct PagerTasksTests {
    /// An object that calls a function when it is released.
    private final class ReleasedObject: Sendable {
        let onRelease: @Sendable () -> Void

        init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

        deinit { onRelease() }
    }

    /// A decision that retains the object of its last event.
    private struct LastObject: Decision, Sendable {
        enum Effect: Sendable { case update }

        private var object: ReleasedObject?
        private(set) var eventCount = 0

        mutating func handle(_ event: ReleasedObject?, effects: inout [Effect]) {
            object = event
            eventCount += 1
        }
    }

    @Test func `A value that is released may read the list`() {
        let counts = Mutex<[Int]>([])
        let tasks = PagerTasks(LastObject()) { _ in .update }
        tasks.handle(
            ReleasedObject { [weak tasks] in
                guard let count = tasks?.withPager({ $0.eventCount }) else { return }
                counts.withLock { $0.append(count) }
            })

        tasks.handle(nil)

        #expect(counts.withLock { $0 } == [2])
    }

    private struct Numbers: Decision, Sendable {
        enum Effect: Sendable { case update }

        private(set) var values: [Int] = []

        mutating func handle(_ event: Int, effects: inout [Effect]) {
            values.append(event)
            effects.append(.update)
        }
    }

    @Test(.timeLimit(.minutes(10))) func `An event is prepared again if the pager has changed meanwhile`() async {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        let tasks = PagerTasks(Numbers()) { _ in .update }
        let callCount = Mutex(0)
        tasks.follow(changes, version: { $0.values.count }) { [weak tasks] _ in
            let call = callCount.withLock { count in
                count += 1
                return count
            }
            if call == 1 { tasks?.handle(0) }
            return call
        }

        continuation.yield()
        for await _ in tasks.updates where tasks.withPager({ $0.values.count }) == 2 { break }

        #expect(tasks.withPager(\.values) == [0, 2])
        tasks.close()
    }
}
