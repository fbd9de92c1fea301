/// A source of the pages of a list.
public protocol PageSource<Row>: Sendable {
    associatedtype Row: PersistableRow

    /// The scheme of its page keys.
    var paging: any Paging { get }

    /// Fetches one page, with its rows in the order of the list. Rows that cannot be decoded are skipped and counted.
    ///
    /// - Throws: Errors of the request, which become those of the list that fetches the page; `CancellationError` if others have cancelled the
    ///   request, which the list repeats once.
    nonisolated(nonsending) func page(at key: PageKey) async throws -> SourcePage<Row>
}

/// A page as the server returned it.
public struct SourcePage<Row: PersistableRow>: Sendable {
    public var rows: [Row]
    /// The number of rows of the page that could not be decoded.
    public var skipped: Int
    /// The server's key of the previous page; nil if the response has none.
    public var previous: String?
    /// The server's key of the next page; nil if the response has none.
    public var next: String?
    /// The values of the `Link` fields (RFC 8288 §3).
    public var links: [String]

    public init(_ rows: [Row], skipped: Int = 0, previous: String? = nil, next: String? = nil, links: [String] = []) {
        self.rows = rows
        self.skipped = skipped
        self.previous = previous
        self.next = next
        self.links = links
    }

    var info: PageInfo { PageInfo(count: rows.count + skipped, previous: previous, next: next, links: links) }
}

extension RecordPage {
    /// Creates the page that a fetch returned.
    init(_ page: SourcePage<Row>, for fetch: PageFetch, _ paging: any Paging) {
        let count = page.info.count
        let start =
            switch fetch.anchor {
            case .start(let place): place
            case .end(let place): place - count
            }
        let adjacent = paging.adjacentPages(to: fetch.key, page.info)
        self.init(
            page.rows, at: start, generation: fetch.generation, skipped: page.skipped, previous: adjacent.previous,
            next: adjacent.next,
            // A prepended page without a next one is an end only if its key defines its place, so that it should have reached the loaded range.
            isEnd: adjacent.isEnd && (fetch.direction != .prepend || paging.place(of: fetch.key) != nil))
    }
}
