import Synchronization

/// The number of photos that the last list of a sol left out because they made no sense.
final class SkippedPhotoCount: Sendable {
    /// nil until a list was fetched or restored.
    private let last = Mutex<Int?>(nil)

    var value: Int { last.withLock { $0 ?? 0 } }

    func set(_ count: Int) { last.withLock { $0 = count } }

    /// Sets the number that was stored with a list, unless a list was fetched before.
    func restore(_ count: Int) { last.withLock { $0 = $0 ?? count } }
}
