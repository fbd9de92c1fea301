/// The state of one row on a screen.
public enum FeedRowState<Row: Sendable>: Sendable {
    /// The row is not loaded and not requested.
    case idle
    case loading
    /// The last attempt failed with this error, and another one follows.
    case retrying(any Error)
    case loaded(Row)
    /// The row was loaded before a refresh, and loading it again failed with this error. It can be retried.
    case stale(Row, any Error)
    /// Loading the row failed with this error. It can be retried.
    case failed(any Error)
}

extension FeedRowState {
    /// The row, outdated or not; nil if it is not loaded.
    public var row: Row? {
        switch self {
        case .loaded(let row), .stale(let row, _): row
        case .idle, .loading, .retrying, .failed: nil
        }
    }
}

/// The list that one screen shows, with its state.
public struct FeedList<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    /// The state of a list. In each state the last known list is shown.
    public enum State: Equatable, Sendable {
        case loading
        case loaded
        /// The last fetch failed with `failure`: a `CancellationError` if there is no list because others have cancelled its fetch twice.
        case failed
    }

    public internal(set) var snapshot: FeedSnapshot<Reference>
    /// The number of lists that the screen has shown; a change means another order of rows.
    package internal(set) var revision = 0
    public internal(set) var state: State
    /// The error of the last attempt to fetch the list; nil after a success.
    public internal(set) var failure: (any Error)?
    /// The number of queries that were set on this screen and have been applied.
    package internal(set) var appliedQueryCount = 0

    /// Creates a list, for tests and previews.
    public init(snapshot: FeedSnapshot<Reference>, state: State, failure: (any Error)? = nil) {
        (self.snapshot, self.state, self.failure) = (snapshot, state, failure)
    }
}

/// The changes since the last update: which parts to read again, without their content.
public struct FeedUpdate<ID: Hashable & Sendable>: Sendable {
    /// Whether the list, its order or its state has changed.
    public internal(set) var isListChanged: Bool
    /// The rows whose state has changed.
    public internal(set) var rows: Set<ID>

    /// Creates an update, for tests and previews.
    public init(isListChanged: Bool = false, rows: Set<ID> = []) {
        (self.isListChanged, self.rows) = (isListChanged, rows)
    }

    var isEmpty: Bool { !isListChanged && rows.isEmpty }

    mutating func merge(_ other: FeedUpdate) {
        isListChanged = isListChanged || other.isListChanged
        rows.formUnion(other.rows)
    }
}
