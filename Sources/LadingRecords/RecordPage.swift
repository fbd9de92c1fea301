/// A page of rows with its position in the list.
public struct RecordPage<Row: PersistableRow>: Sendable {
    public var rows: [Row]
    /// The place of the first row: the number of places before it. Prepending to a list leads to negative places.
    public var start: Int
    /// The number of places of the page: one for each row, including rows that could not be decoded.
    public var length: Int
    /// The refresh that the page belongs to; a page older than the stored ones is dropped.
    public var generation: Int
    /// The key of the previous page; nil if there is none.
    public var previous: PageKey?
    /// The key of the next page; nil if there is none.
    public var next: PageKey?
    /// Whether the list is known to end after this page; other rows beyond it are removed.
    public var isEnd: Bool

    /// Creates a page.
    ///
    /// - Parameter skipped: The number of rows of the page that could not be decoded.
    public init(
        _ rows: [Row], at start: Int, generation: Int, skipped: Int = 0, previous: PageKey? = nil, next: PageKey? = nil, isEnd: Bool = false
    ) {
        self.rows = rows
        self.start = start
        self.length = rows.count + skipped
        self.generation = generation
        self.previous = previous
        self.next = next
        self.isEnd = isEnd
    }

    public var places: Range<Int> { start..<start + length }

    /// The range that the page loads.
    public var loadedRange: LoadedRange {
        LoadedRange(places: places, generation: generation, previous: previous, next: next, isEnd: isEnd)
    }
}

/// The result of storing a page.
public enum WriteResult: Hashable, Sendable {
    case stored
    /// The page was dropped, because a newer refresh has stored pages.
    case stale
}
