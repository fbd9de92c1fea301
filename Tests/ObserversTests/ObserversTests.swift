import Synchronization
import Testing

@testable import Observers

@Suite("Observers", .timeLimit(.minutes(10)))
struct ObserversTests {
    private let observers = Observers<Int>()

    @Test func `Each observer reads what is sent after it was added`() async {
        observers.send(1)
        let first = observers.add(bufferingPolicy: .unbounded)
        observers.send(2)
        let second = observers.add(bufferingPolicy: .unbounded)
        observers.send(3)

        #expect(await first.prefix(2).reduce(into: []) { $0.append($1) } == [2, 3])
        #expect(await second.prefix(1).reduce(into: []) { $0.append($1) } == [3])
    }

    @Test func `An observer reads its first element, and nothing that was recorded before it was added`() async {
        let earlier = observers.add(bufferingPolicy: .unbounded)
        observers.append(1)
        let stream = observers.add(bufferingPolicy: .unbounded, first: 0)
        observers.append(2)

        observers.deliver()

        #expect(await stream.prefix(2).reduce(into: []) { $0.append($1) } == [0, 2])
        #expect(await earlier.prefix(2).reduce(into: []) { $0.append($1) } == [1, 2])
    }

    @Test func `An observer that has ended is removed`() async {
        for _ in 1...3 { _ = observers.add(bufferingPolicy: .unbounded) }
        #expect(observers.count == 0)

        let stream = observers.add(bufferingPolicy: .unbounded)
        #expect(observers.count == 1)
        let reader = Task { for await _ in stream {} }
        reader.cancel()
        await reader.value
        #expect(observers.count == 0)
    }

    @Test func `The sequences end when the observers are deallocated, after the elements that were sent`() async {
        var observers: Observers<Int>? = Observers()
        let streams = (0..<2).compactMap { _ in observers?.add(bufferingPolicy: .unbounded) }
        let reader = Task { await streams[0].reduce(into: [Int]()) { $0.append($1) } }
        observers?.send(1)

        observers = nil

        #expect(await reader.value == [1])
        #expect(await streams[1].reduce(into: []) { $0.append($1) } == [1])
    }

    @Test func `Elements of several threads arrive in the order in which they were recorded`() async {
        let owner = Owner()
        let stream = owner.observers.add(bufferingPolicy: .unbounded)

        await withDiscardingTaskGroup { tasks in
            for _ in 1...4 {
                tasks.addTask { for _ in 1...500 { owner.increment() } }
            }
        }

        #expect(await stream.prefix(2_000).reduce(into: []) { $0.append($1) } == Array(1...2_000))
    }

    /// With elements that were sent under the lock this never ended, within 500 rounds.
    @Test func `A reader may need the owner's lock when its task is cancelled, while elements are sent`() async {
        let owner = Owner()
        for _ in 1...3_000 {
            let stream = owner.observers.add(bufferingPolicy: .bufferingNewest(1))
            let (received, report) = AsyncStream.makeStream(of: Void.self)
            let reader = Task {
                await withTaskCancellationHandler {
                    for await _ in stream { report.yield() }
                } onCancel: {
                    owner.increment()
                }
            }
            owner.increment()
            // The reader is waiting for the next element, or about to.
            for await _ in received { break }
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { for _ in 1...5 { owner.increment() } }
                tasks.addTask { reader.cancel() }
            }
            await reader.value
        }
    }

    /// An owner of observers, as those of the library.
    private final class Owner: Sendable {
        let observers = Observers<Int>()
        private let number = Mutex(0)

        /// Increments the number under the lock, and sends it.
        func increment() {
            number.withLock { number in
                number += 1
                observers.append(number)
            }
            observers.deliver()
        }
    }
}
