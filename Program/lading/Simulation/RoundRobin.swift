import Synchronization

/// A counter that distributes requests.
final class RoundRobin: Sendable {
    private let count = Mutex(0)

    func number(below bound: Int) -> Int {
        count.withLock { count in
            count += 1
            return count % bound
        }
    }
}
