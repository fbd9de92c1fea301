/// What a screen shows in the place of one row.
public enum FeedRowState<Row: Sendable>: Sendable {
    /// Nobody has asked for it.
    case idle
    case loading
    /// An attempt to load it failed for this reason, and another one follows.
    case retrying(any Error)
    case loaded(Row)
    /// It was loaded before a refresh and could not be loaded again; it can be asked for again.
    case stale(Row, any Error)
    /// It could not be loaded; it can be asked for again.
    case failed(any Error)
}

extension FeedRowState {
    /// The row as far as it is known, however old.
    public var row: Row? {
        switch self {
        case .loaded(let row), .stale(let row, _): row
        case .idle, .loading, .retrying, .failed: nil
        }
    }
}

/// The list that one screen shows, and how far it is.
public struct FeedList<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    /// How far a list is. In each state what was known before is still shown.
    public enum State: Equatable, Sendable {
        case loading
        case loaded
        /// See `failure`.
        case failed
    }

    public var snapshot: FeedSnapshot<Reference>
    /// Counts the lists that the screen has shown: another number, another order of rows.
    public var revision = 0
    public var state: State
    /// What kept the last attempt to fetch it from success; it stays until the next success.
    public var failure: (any Error)?
    /// Counts the arrangements that the screen has asked for and that have been shown since.
    public var appliedQueryCount = 0
}

/// What has changed since the last update: a hint to look again, never the content itself.
public struct FeedUpdate<ID: Hashable & Sendable>: Sendable {
    /// Whether the list, its order or its state is another now.
    public var isListChanged = false
    /// The rows whose state is another now.
    public var rows: Set<ID> = []

    var isEmpty: Bool { !isListChanged && rows.isEmpty }

    mutating func merge(_ other: FeedUpdate) {
        isListChanged = isListChanged || other.isListChanged
        rows.formUnion(other.rows)
    }
}
