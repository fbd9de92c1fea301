/// A scheme of page keys: the key of the first page and the keys adjacent to a page.
public protocol Paging: Sendable {
    /// The key of the first page.
    var first: PageKey { get }

    /// Returns the key of the page that contains a place; nil if pages are only found one after the other.
    func key(containing place: Int) -> PageKey?

    /// Returns the first place of a page; nil if its key does not define it.
    func place(of key: PageKey) -> Int?

    /// Returns the keys of the pages before and after a page, from its key and its response.
    func adjacentPages(to key: PageKey, _ info: PageInfo) -> AdjacentPages
}

/// The information of a page besides its rows.
public struct PageInfo: Hashable, Sendable {
    /// The number of rows in the response, including rows that could not be decoded.
    public var count: Int
    /// The server's key of the previous page; nil if the response has none.
    public var previous: String?
    /// The server's key of the next page; nil if the response has none.
    public var next: String?
    /// The values of the `Link` fields (RFC 8288 §3).
    public var links: [String]

    public init(count: Int, previous: String? = nil, next: String? = nil, links: [String] = []) {
        self.count = count
        self.previous = previous
        self.next = next
        self.links = links
    }
}

/// The keys of the pages before and after a page.
public struct AdjacentPages: Hashable, Sendable {
    public var previous: PageKey?
    public var next: PageKey?

    public init(previous: PageKey? = nil, next: PageKey? = nil) {
        self.previous = previous
        self.next = next
    }

    /// Whether the list ends with the page.
    package var isEnd: Bool { next == nil }
}

/// Paging by the number of preceding rows. A short or empty page is the last.
public struct OffsetPaging: Paging {
    package let pageLength: Int

    /// Creates a scheme of pages of one length.
    ///
    /// - Parameter pageLength: The number of rows in a full page; at least 1.
    public init(pageLength: Int) {
        self.pageLength = max(1, pageLength)
    }

    public var first: PageKey { .offset(0) }

    public func key(containing place: Int) -> PageKey? { .offset(max(0, place) / pageLength * pageLength) }

    public func place(of key: PageKey) -> Int? {
        if case .offset(let offset) = key { offset } else { nil }
    }

    public func adjacentPages(to key: PageKey, _ info: PageInfo) -> AdjacentPages {
        guard case .offset(let offset) = key else { return AdjacentPages() }
        return AdjacentPages(
            previous: offset > 0 ? .offset(max(0, offset - pageLength)) : nil,
            next: info.count < pageLength ? nil : .offset(offset + info.count))
    }
}

/// Paging by page number. A short or empty page is the last.
public struct NumberPaging: Paging {
    package let pageLength: Int
    /// The number of the first page; 0 or 1 with most servers.
    package let firstNumber: Int

    /// Creates a scheme of numbered pages.
    ///
    /// - Parameter pageLength: The number of rows in a full page; at least 1.
    public init(pageLength: Int, firstNumber: Int = 1) {
        self.pageLength = max(1, pageLength)
        self.firstNumber = firstNumber
    }

    public var first: PageKey { .number(firstNumber) }

    public func key(containing place: Int) -> PageKey? { .number(firstNumber + max(0, place) / pageLength) }

    public func place(of key: PageKey) -> Int? {
        if case .number(let number) = key { (number - firstNumber) * pageLength } else { nil }
    }

    public func adjacentPages(to key: PageKey, _ info: PageInfo) -> AdjacentPages {
        guard case .number(let number) = key else { return AdjacentPages() }
        return AdjacentPages(
            previous: number > firstNumber ? .number(number - 1) : nil, next: info.count < pageLength ? nil : .number(number + 1))
    }
}

/// Paging by cursors in the responses. A page that is empty or has no next cursor is the last.
public struct CursorPaging: Paging {
    public init() {}

    public var first: PageKey { .cursor("") }

    public func key(containing place: Int) -> PageKey? { nil }

    public func place(of key: PageKey) -> Int? { key == first ? 0 : nil }

    public func adjacentPages(to key: PageKey, _ info: PageInfo) -> AdjacentPages {
        AdjacentPages(
            previous: info.previous.map { .cursor($0) }, next: info.count == 0 ? nil : info.next.map { .cursor($0) }
        ).excluding(key)
    }
}

/// Paging by the URLs of `Link` fields with the relations `next` and `prev` (RFC 8288). A page that is empty or has no next link is the last.
public struct LinkPaging: Paging {
    public init() {}

    public var first: PageKey { .link("") }

    public func key(containing place: Int) -> PageKey? { nil }

    public func place(of key: PageKey) -> Int? { key == first ? 0 : nil }

    public func adjacentPages(to key: PageKey, _ info: PageInfo) -> AdjacentPages {
        let links = info.links.flatMap(WebLink.links(in:))
        let target = { (relation: String) in links.first { $0.relations.contains(relation) }.map { PageKey.link($0.target) } }
        return AdjacentPages(previous: target("prev") ?? target("previous"), next: info.count == 0 ? nil : target("next")).excluding(key)
    }
}

extension AdjacentPages {
    /// Returns the adjacent pages without the page itself, which would be fetched repeatedly.
    fileprivate func excluding(_ key: PageKey) -> AdjacentPages {
        AdjacentPages(previous: previous == key ? nil : previous, next: next == key ? nil : next)
    }
}
