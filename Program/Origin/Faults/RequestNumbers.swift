import Synchronization

/// A counter of the requests for each document.
final class RequestNumbers: Sendable {
    /// The maximum number of documents; beyond it all counts restart.
    static let documentLimit = 1_000_000

    private let numbers = Mutex<[String: Int]>([:])

    /// Returns the number of a new request for a path, from 1.
    func next(for path: String) -> Int {
        numbers.withLock { numbers in
            if numbers.count >= Self.documentLimit, numbers[path] == nil { numbers = [:] }
            numbers[path, default: 0] += 1
            return numbers[path, default: 0]
        }
    }
}
