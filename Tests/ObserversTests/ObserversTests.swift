import Synchronization
import Testing

@testable import Observers

@Suite("Observers", .timeLimit(.minutes(2)))
struct ObserversTests {
    @Test func `Each observer reads what is sent after it was added`() async {
        var observers = Observers<Int>()
        observers.send(1)
        let first = observers.add(bufferingPolicy: .unbounded)
        observers.send(2)
        let second = observers.add(bufferingPolicy: .unbounded)
        observers.send(3)

        #expect(await first.prefix(2).reduce(into: []) { $0.append($1) } == [2, 3])
        #expect(await second.prefix(1).reduce(into: []) { $0.append($1) } == [3])
    }

    @Test func `An observer that has ended is removed with the next element or observer`() async {
        var observers = Observers<Int>()
        for _ in 1...3 { _ = observers.add(bufferingPolicy: .unbounded) }
        #expect(observers.count == 1)

        observers.send(1)

        #expect(observers.count == 0)
    }

    /// With a handler that waits for the lock of the owner this never ended, within 500 rounds.
    @Test func `Cancelling an observer while an element is sent under a lock never blocks`() async {
        let owner = Owner()
        for _ in 1...3_000 {
            let stream = owner.observers.withLock { $0.add(bufferingPolicy: .bufferingNewest(1)) }
            let (received, report) = AsyncStream.makeStream(of: Void.self)
            let reader = Task { for await _ in stream { report.yield() } }
            owner.observers.withLock { $0.send(0) }
            // The reader is waiting for the next element, or about to.
            for await _ in received { break }
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { for number in 1...5 { owner.observers.withLock { $0.send(number) } } }
                tasks.addTask { reader.cancel() }
            }
            await reader.value
        }
    }

    /// An owner of observers, as those of the library.
    private final class Owner: Sendable {
        let observers = Mutex(Observers<Int>())
    }
}
