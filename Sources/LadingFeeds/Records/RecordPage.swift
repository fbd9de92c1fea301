/// A page of rows as it arrived, and where in the list it lies.
public struct RecordPage<Row: Recordable>: Sendable {
    public var rows: [Row]
    /// The place of the first row: how many places of the list lie before it. Lists that grow at the front go below zero.
    public var start: Int
    /// How many places the page covers: one for each of its rows, and one for each that could not be read.
    public var length: Int
    /// The refresh that the page belongs to; a page of an older one than is stored changes nothing.
    public var generation: Int
    /// Where the page before it is to be had; nil when there is none.
    public var previous: PageKey?
    /// Where the page after it is to be had; nil when there is none.
    public var next: PageKey?
    /// Whether the list is known to end behind this page: what is older and lies there is removed.
    public var isEnd: Bool

    /// - Parameter skipped: How many rows of the page could not be read.
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

    /// What the page says about its places.
    package var loadedRange: LoadedRange {
        LoadedRange(places: places, generation: generation, previous: previous, next: next, isEnd: isEnd)
    }
}

/// What a store has made of a page.
public enum WriteResult: Hashable, Sendable {
    case stored
    /// A newer refresh has pages here: the page was dropped.
    case outdated
}
