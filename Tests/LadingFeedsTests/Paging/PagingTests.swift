@testable import LadingFeeds
import LadingTesting
import Testing

@Suite struct PagingTests {
    @Test func `Offsets count what came, and a short page is the last`() {
        let paging = OffsetPaging(pageLength: 20)

        #expect(paging.first == .offset(0))
        #expect(paging.neighbours(of: .offset(0), PageOutline(count: 20)) == PageNeighbours(next: .offset(20)))
        #expect(paging.neighbours(of: .offset(30), PageOutline(count: 20)) == PageNeighbours(previous: .offset(10), next: .offset(50)))
        #expect(paging.neighbours(of: .offset(10), PageOutline(count: 19)) == PageNeighbours(previous: .offset(0)))
        #expect(paging.neighbours(of: .offset(40), PageOutline(count: 0)).isEnd)
        #expect(paging.key(holding: 59) == .offset(40))
        #expect(paging.place(of: .offset(7)) == 7)
    }

    @Test func `Numbers begin where the server begins`() {
        let paging = NumberPaging(pageLength: 25, firstNumber: 0)

        #expect(paging.first == .number(0))
        #expect(paging.neighbours(of: .number(0), PageOutline(count: 25)) == PageNeighbours(next: .number(1)))
        #expect(paging.neighbours(of: .number(3), PageOutline(count: 3)) == PageNeighbours(previous: .number(2)))
        #expect(paging.key(holding: 50) == .number(2))
        #expect(paging.place(of: .number(2)) == 50)
        #expect(NumberPaging(pageLength: 25).place(of: .number(1)) == 0)
    }

    @Test func `Cursors lead on until there is none, the page is empty, or one leads to itself`() {
        let paging = CursorPaging()

        #expect(paging.neighbours(of: paging.first, PageOutline(count: 3, next: "b")) == PageNeighbours(next: .cursor("b")))
        #expect(
            paging.neighbours(of: .cursor("b"), PageOutline(count: 3, previous: "a", next: "c"))
                == PageNeighbours(previous: .cursor("a"), next: .cursor("c")))
        #expect(paging.neighbours(of: .cursor("b"), PageOutline(count: 3)).isEnd)
        #expect(paging.neighbours(of: .cursor("b"), PageOutline(count: 0, next: "c")).isEnd)
        #expect(paging.neighbours(of: .cursor("b"), PageOutline(count: 3, next: "b")).isEnd)
        #expect(paging.key(holding: 40) == nil)
    }

    @Test func `Links lead on by their relations`() {
        let links = [#"</rows?page=3>; rel="next", <https://a.example/?page=1>; rel=prev"#]

        #expect(
            LinkPaging().neighbours(of: .link("/rows?page=2"), PageOutline(count: 20, links: links))
                == PageNeighbours(previous: .link("https://a.example/?page=1"), next: .link("/rows?page=3")))
        #expect(LinkPaging().neighbours(of: .link("/rows?page=3"), PageOutline(count: 20, links: links)).isEnd)
        #expect(LinkPaging().neighbours(of: .link(""), PageOutline(count: 20)).isEnd)
    }

    @Test(arguments: [
        (#"<a>; rel="next""#, ["a next"]),
        (#"<a>;rel=next,<b>;rel=last"#, ["a next", "b last"]),
        (#" <a,b;c> ; title="x, <y>; rel=\"no\"" ; REL="Prev  Next" "#, ["a,b;c prev next"]),
        (#"<a>; rel="first"; rel="next""#, ["a first"]),
        (#"<a>; anchor="z", , <b>; rel=next"#, ["a", "b next"]),
        (#"<a"#, []), ("", []), ("next", []), (#"<a>; rel="ne"#, ["a ne"]), ("<a>; =;;; rel", ["a"]),
    ])
    func `Links are read by the grammar of RFC 8288`(field: String, links: [String]) {
        #expect(WebLink.links(in: field).map { ([$0.target] + $0.relations).joined(separator: " ") } == links)
    }

    @Test(arguments: [(0, true), (10, true), (20, false)])
    func `A short page in front is the end where its key tells where it lies`(count: Int, isEnd: Bool) {
        let page = SourcePage((0..<count).map { ConformanceRow($0) })
        func flight(_ key: PageKey) -> PageFlight {
            PageFlight(number: 1, direction: .prepend, generation: 1, key: key, anchor: .end(200))
        }

        #expect(RecordPage(page, for: flight(.offset(180)), OffsetPaging(pageLength: 20)).isEnd == isEnd)
        #expect(RecordPage(page, for: flight(.number(10)), NumberPaging(pageLength: 20)).isEnd == isEnd)
        #expect(!RecordPage(page, for: flight(.cursor("a")), CursorPaging()).isEnd)
    }

    @Test(arguments: [PageKey.offset(40), .number(0), .cursor("a:b"), .cursor(""), .link("https://a.example/?page=2")])
    func `A key is read back from its text`(key: PageKey) {
        #expect(PageKey(key.description) == key)
        #expect(PageKey("nothing") == nil)
    }
}
