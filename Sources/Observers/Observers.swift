import Synchronization

/// The observers of a value, each of which reads a sequence of its own. An owner keeps them under its lock, and may send elements under it.
///
/// A sequence that ends when its task is cancelled is only noted then, and removed with the next observer or element: the system notes it while it
/// locks the state of the task, and sending an element to that task may wait for this, so that a handler which waits for the owner would never end.
package struct Observers<Element: Sendable>: Sendable {
    /// The numbers of the sequences that have ended since the last removal, under a lock under which nothing is sent.
    private final class EndedNumbers: Sendable {
        private let numbers = Mutex<[Int]>([])
        func insert(_ number: Int) { numbers.withLock { $0.append(number) } }
        func removeAll() -> [Int] {
            numbers.withLock { numbers in
                defer { numbers = [] }
                return numbers
            }
        }
    }

    private var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    private var lastNumber = 0
    private let ended = EndedNumbers()

    package init() {}

    /// The number of observers, including those whose end was noted only.
    var count: Int { continuations.count }

    /// Adds an observer, and returns the sequence that it reads.
    ///
    /// - Parameter first: The first element of the sequence; nil if there is none yet.
    package mutating func add(
        bufferingPolicy policy: AsyncStream<Element>.Continuation.BufferingPolicy, first: Element? = nil
    ) -> AsyncStream<Element> {
        removeEnded()
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
        lastNumber += 1
        continuations[lastNumber] = continuation
        if let first { continuation.yield(first) }
        continuation.onTermination = { [ended, lastNumber] _ in ended.insert(lastNumber) }
        return stream
    }

    /// Sends an element to all observers.
    package mutating func send(_ element: Element) {
        removeEnded()
        for continuation in continuations.values { continuation.yield(element) }
    }

    private mutating func removeEnded() {
        for number in ended.removeAll() { continuations[number] = nil }
    }
}
