/// Where the pages of a list come from.
public protocol PageSource<Row>: Sendable {
    associatedtype Row: Recordable

    /// How its pages are found.
    var paging: any Paging { get }

    /// Fetches one page. One row that cannot be read is skipped and counted, and fails no page.
    nonisolated(nonsending) func page(at key: PageKey) async throws -> SourcePage<Row>
}

/// A page as a server gave it.
public struct SourcePage<Row: Recordable>: Sendable {
    public var rows: [Row]
    /// How many rows of the page could not be read.
    public var skipped: Int
    /// What the server calls the page before it, when it says so.
    public var previous: String?
    /// What the server calls the page after it, when it says so.
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
    /// A page that came for a flight.
    init(_ page: SourcePage<Row>, for flight: PageFetch, _ paging: any Paging) {
        let count = page.info.count
        let start =
            switch flight.anchor {
            case .start(let place): place
            case .end(let place): place - count
            }
        let adjacent = paging.adjacentPages(to: flight.key, page.info)
        self.init(
            page.rows, at: start, generation: flight.generation, skipped: page.skipped, previous: adjacent.previous,
            next: adjacent.next,
            // In front of others a page without a next one is no end, unless its key tells that it should have reached them.
            isEnd: adjacent.isEnd && (flight.direction != .prepend || paging.place(of: flight.key) != nil))
    }
}
