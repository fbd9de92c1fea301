import Synchronization

/// The number of photos that the last list of a sol left out because they made no sense.
final class SkippedPhotos: Sendable {
    private let last = Mutex(0)

    var count: Int { last.withLock { $0 } }

    func note(_ count: Int) { last.withLock { $0 = count } }
}
