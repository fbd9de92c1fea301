import Synchronization

/// The number of invalid entries in the last list of a sol.
final class SkippedPhotoCount: Sendable {
    /// The count; nil until a list was fetched or restored.
    private let last = Mutex<Int?>(nil)

    var value: Int { last.withLock { $0 ?? 0 } }

    func set(_ count: Int) { last.withLock { $0 = count } }

    /// Sets the count stored with a list, unless a list was fetched before.
    func restore(_ count: Int) { last.withLock { $0 = $0 ?? count } }
}
