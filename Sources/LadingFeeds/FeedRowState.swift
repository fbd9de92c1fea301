/// What a screen shows in the place of one row.
public enum FeedRowState<Row: Sendable>: Sendable {
    /// Nobody has asked for it.
    case waiting
    case loading
    case loaded(Row)
    /// It could not be loaded; it can be asked for again.
    case failed(any Error)
}

/// How far the list itself is.
public enum FeedListState: Sendable {
    /// It is being fetched; what was known before is still shown.
    case loading
    case loaded
    /// It could not be fetched; what was known before is still shown.
    case failed(any Error)
}

/// What has changed since the last update: a hint to look again, never the content itself.
public struct FeedUpdate<ID: Hashable & Sendable>: Sendable {
    /// Whether the list, its order or its state is another now.
    public var isListChanged = false
    /// The rows whose state is another now.
    public var rows: Set<ID> = []

    var isEmpty: Bool { !isListChanged && rows.isEmpty }
}
