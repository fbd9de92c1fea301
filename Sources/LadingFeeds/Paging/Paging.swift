/// How the pages of a list are found: what the first is called, and how one leads to the next.
public protocol Paging: Sendable {
    /// The key of the first page.
    var first: PageKey { get }

    /// The page that holds a place; nil when pages are only found one after the other.
    func key(containing place: Int) -> PageKey?

    /// The first place of a page; nil when its key does not tell.
    func place(of key: PageKey) -> Int?

    /// What lies beside the page under a key, going by what came.
    func adjacentPages(to key: PageKey, _ info: PageInfo) -> AdjacentPages
}

/// What a page says beside its rows.
public struct PageInfo: Hashable, Sendable {
    /// How many rows came, those that could not be read included.
    public var count: Int
    /// What the server calls the page before it, when it says so.
    public var previous: String?
    /// What the server calls the page after it, when it says so.
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

/// The pages beside a page.
public struct AdjacentPages: Hashable, Sendable {
    public var previous: PageKey?
    public var next: PageKey?

    public init(previous: PageKey? = nil, next: PageKey? = nil) {
        self.previous = previous
        self.next = next
    }

    /// Whether the list ends with the page.
    public var isEnd: Bool { next == nil }
}

/// Pages by how many rows lie before them; a short or empty one is the last.
public struct OffsetPaging: Paging {
    public let pageLength: Int

    /// - Parameter pageLength: How many rows are asked for at a time; at least 1.
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

/// Pages by number; a short or empty one is the last.
public struct NumberPaging: Paging {
    public let pageLength: Int
    /// The number of the first page: 0 or 1 with most servers.
    public let firstNumber: Int

    /// - Parameter pageLength: How many rows a full page has; at least 1.
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

/// Pages by what the server calls them in its replies; one that names no other, or is empty, is the last.
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

/// Pages by the addresses in `Link` fields with the relations `next` and `prev` (RFC 8288). One without a next, or an empty one, is the last.
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
    /// A page that leads to itself would be asked for again and again.
    fileprivate func excluding(_ key: PageKey) -> AdjacentPages {
        AdjacentPages(previous: previous == key ? nil : previous, next: next == key ? nil : next)
    }
}
