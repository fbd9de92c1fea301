import Synchronization

/// Counts the requests for each document.
final class RequestNumbers: Sendable {
    /// How many documents are told apart; counting begins anew when there are more.
    static let documentLimit = 1_000_000

    private let numbers = Mutex<[String: Int]>([:])

    /// The number of a request that came in now, the first being 1.
    func next(for path: String) -> Int {
        numbers.withLock { numbers in
            if numbers.count >= Self.documentLimit, numbers[path] == nil { numbers = [:] }
            numbers[path, default: 0] += 1
            return numbers[path, default: 0]
        }
    }
}
