import LadingConformance
import Testing
@testable import LadingRecords

@Suite struct PagingTests {
    @Test func `Offset paging advances by the received rows, and a short page is the last`() {
        let paging = OffsetPaging(pageLength: 20)

        #expect(paging.first == .offset(0))
        #expect(paging.adjacentPages(to: .offset(0), PageInfo(count: 20)) == AdjacentPages(next: .offset(20)))
        #expect(paging.adjacentPages(to: .offset(30), PageInfo(count: 20)) == AdjacentPages(previous: .offset(10), next: .offset(50)))
        #expect(paging.adjacentPages(to: .offset(10), PageInfo(count: 19)) == AdjacentPages(previous: .offset(0)))
        #expect(paging.adjacentPages(to: .offset(1), PageInfo(count: 20)) == AdjacentPages(previous: .offset(0), next: .offset(21)))
        #expect(paging.adjacentPages(to: .offset(40), PageInfo(count: 0)).isEnd)
        #expect(paging.key(containing: 59) == .offset(40))
        #expect(paging.place(of: .offset(7)) == 7)
    }

    @Test func `Number paging starts at the given first number`() {
        let paging = NumberPaging(pageLength: 25, firstNumber: 0)

        #expect(paging.first == .number(0))
        #expect(paging.adjacentPages(to: .number(0), PageInfo(count: 25)) == AdjacentPages(next: .number(1)))
        #expect(paging.adjacentPages(to: .number(3), PageInfo(count: 3)) == AdjacentPages(previous: .number(2)))
        #expect(paging.key(containing: 50) == .number(2))
        #expect(paging.place(of: .number(2)) == 50)
        #expect(NumberPaging(pageLength: 25).place(of: .number(1)) == 0)
    }

    @Test(arguments: [-1, 0, 1]) func `A full page has at least one row`(pageLength: Int) {
        let (offsets, numbers) = (OffsetPaging(pageLength: pageLength), NumberPaging(pageLength: pageLength))

        #expect(offsets.adjacentPages(to: .offset(3), PageInfo(count: 1)).next == .offset(4))
        #expect(offsets.adjacentPages(to: .offset(3), PageInfo(count: 0)).isEnd)
        #expect(numbers.adjacentPages(to: .number(3), PageInfo(count: 1)).next == .number(4))
        #expect(numbers.adjacentPages(to: .number(3), PageInfo(count: 0)).isEnd)
    }

    @Test(arguments: [(-1, 0), (0, 0), (1, 1), (2, 2)]) func `A place before the list belongs to the first page`(place: Int, page: Int) {
        #expect(OffsetPaging(pageLength: 1).key(containing: place) == .offset(page))
        #expect(NumberPaging(pageLength: 1).key(containing: place) == .number(1 + page))
    }

    @Test func `Only the first page of a cursor or a link has a known place`() {
        #expect(CursorPaging().place(of: CursorPaging().first) == 0)
        #expect(CursorPaging().place(of: .cursor("b")) == nil)
        #expect(LinkPaging().place(of: LinkPaging().first) == 0)
        #expect(LinkPaging().place(of: .link("/rows?page=2")) == nil)
    }

    @Test func `Cursor paging ends without a next cursor, at an empty page, or at a cursor that names itself`() {
        let paging = CursorPaging()

        #expect(paging.adjacentPages(to: paging.first, PageInfo(count: 3, next: "b")) == AdjacentPages(next: .cursor("b")))
        #expect(
            paging.adjacentPages(to: .cursor("b"), PageInfo(count: 3, previous: "a", next: "c"))
                == AdjacentPages(previous: .cursor("a"), next: .cursor("c")))
        #expect(paging.adjacentPages(to: .cursor("b"), PageInfo(count: 3)).isEnd)
        #expect(paging.adjacentPages(to: .cursor("b"), PageInfo(count: 0, next: "c")).isEnd)
        #expect(paging.adjacentPages(to: .cursor("b"), PageInfo(count: 3, next: "b")).isEnd)
        #expect(paging.key(containing: 40) == nil)
    }

    @Test func `Link paging follows the next and prev relations`() {
        let links = [#"</rows?page=3>; rel="next", <https://a.example/?page=1>; rel=prev"#]

        #expect(
            LinkPaging().adjacentPages(to: .link("/rows?page=2"), PageInfo(count: 20, links: links))
                == AdjacentPages(previous: .link("https://a.example/?page=1"), next: .link("/rows?page=3")))
        #expect(LinkPaging().adjacentPages(to: .link("/rows?page=3"), PageInfo(count: 20, links: links)).isEnd)
        #expect(LinkPaging().adjacentPages(to: .link(""), PageInfo(count: 20)).isEnd)
    }

    @Test(arguments: [(0, true), (1, false)]) func `Link paging ends at an empty page with a next link`(count: Int, isEnd: Bool) {
        let info = PageInfo(count: count, links: ["</rows?page=3>; rel=next"])

        #expect(LinkPaging().adjacentPages(to: .link("/rows?page=2"), info).isEnd == isEnd)
    }

    @Test(arguments: [
        (#"<a>; rel="next""#, ["a next"]),
        (#"<a>;rel=next,<b>;rel=last"#, ["a next", "b last"]),
        (#" <a,b;c> ; title="x, <y>; rel=\"no\"" ; REL="Prev  Next" "#, ["a,b;c prev next"]),
        (#"<a>; rel="first"; rel="next""#, ["a first"]),
        (#"<a>; anchor="z", , <b>; rel=next"#, ["a", "b next"]),
        (#"<a"#, []), ("", []), ("next", []), (#"<a>; rel="ne"#, ["a ne"]), ("<a>; =;;; rel", ["a"]),
    ])
    func `Link fields are parsed by the grammar of RFC 8288`(field: String, links: [String]) {
        #expect(WebLink.links(in: field).map { ([$0.target] + $0.relations).joined(separator: " ") } == links)
    }

    @Test(arguments: [(0, true), (10, true), (20, false)])
    func `A short prepended page is the end only if its key defines its place`(count: Int, isEnd: Bool) {
        let page = SourcePage((0..<count).map { ConformanceRow($0) })
        func flight(_ key: PageKey) -> PageFetch {
            PageFetch(number: 1, direction: .prepend, generation: 1, key: key, anchor: .end(200))
        }

        #expect(RecordPage(page, for: flight(.offset(180)), OffsetPaging(pageLength: 20)).isEnd == isEnd)
        #expect(RecordPage(page, for: flight(.number(10)), NumberPaging(pageLength: 20)).isEnd == isEnd)
        #expect(!RecordPage(page, for: flight(.cursor("a")), CursorPaging()).isEnd)
    }

    @Test(arguments: [PageKey.offset(40), .number(0), .cursor("a:b"), .cursor(""), .cursor("\u{301}a"), .link("https://a.example/?page=2")])
    func `A page key is parsed from its description`(key: PageKey) {
        #expect(PageKey(key.description) == key)
        #expect(PageKey("nothing") == nil)
    }

    @Test(arguments: ["offset", "number"]) func `The number of a parsed page key is limited`(kind: String) {
        for (number, isParsed) in [(1 << 40, true), (-1 << 40, true), (1 << 40 + 1, false), (.max, false), (.min, false)] {
            #expect((PageKey("\(kind):\(number)") != nil) == isParsed, "\(number)")
        }
    }
}
