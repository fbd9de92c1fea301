import LadingCaching
import LadingOperations
import Synchronization

/// What is known of a feed in this process, shared by all screens that show it: the last list and the rows used last.
public final class FeedMemory<F: Feed>: Sendable {
    /// A row together with the refresh that it was loaded after.
    struct KnownRow: Sendable {
        var row: F.Row
        var generation: Int
    }

    private struct State: Sendable {
        var snapshot: FeedSnapshot<F.Reference>?
        var generation = Generation(number: 0)
    }

    /// One refresh: its number, and the moment before which no flight is new enough for its rows.
    struct Generation: Sendable {
        var number: Int
        var notBefore: OperationMark?
    }

    private let state = Mutex(State())
    private let rows: MemoryCache<F.Reference.ID, KnownRow>

    /// - Parameter rowLimit: The most rows kept.
    public init(rowLimit: Int = 20_000) {
        rows = MemoryCache(costLimit: rowLimit)
    }

    /// The last list that was fetched; nil before the first.
    public var snapshot: FeedSnapshot<F.Reference>? { state.withLock { $0.snapshot } }

    /// The row of an identity, however old; nil when it is not kept.
    public func row(for id: F.Reference.ID) -> F.Row? { rows.value(for: id)?.row }

    /// The number of the current refresh; rows of an earlier one are shown, and loaded again when they are seen.
    var generation: Generation { state.withLock { $0.generation } }

    func isCurrent(_ id: F.Reference.ID) -> Bool {
        rows.value(for: id)?.generation == generation.number
    }

    /// Keeps a row unless one of a later refresh is known.
    func store(_ row: F.Row, for id: F.Reference.ID, generation: Int) {
        if let known = rows.value(for: id), known.generation > generation { return }
        rows.store(KnownRow(row: row, generation: generation), for: id)
    }

    /// Keeps a list that was fetched.
    ///
    /// - Parameter refreshedAt: The moment of the refresh that asked for it, which begins a generation; nil when none did.
    func store(_ snapshot: FeedSnapshot<F.Reference>, refreshedAt: OperationMark?) {
        state.withLock {
            $0.snapshot = snapshot
            guard let refreshedAt else { return }
            $0.generation = Generation(number: $0.generation.number + 1, notBefore: refreshedAt)
        }
    }
}
