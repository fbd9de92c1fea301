import LadingRecords
import Testing

@Suite struct LoadedRangeSetTests {
    private func range(
        _ places: Range<Int>, _ generation: Int = 1, previous: PageKey? = nil, next: PageKey? = nil, isEnd: Bool = false
    ) -> LoadedRange {
        LoadedRange(places: places, generation: generation, previous: previous, next: next, isEnd: isEnd)
    }

    private func ranges(_ pages: LoadedRange...) -> [LoadedRange] {
        var coverage = LoadedRangeSet()
        for page in pages { coverage.add(page) }
        return coverage.ranges
    }

    @Test func `Adjacent pages of one refresh become one range`() {
        let runs = ranges(
            range(0..<20, next: .offset(20)), range(20..<40, previous: .offset(0), next: .offset(40)), range(-5..<0, previous: .cursor("a"))
        )

        #expect(runs == [range(-5..<40, previous: .cursor("a"), next: .offset(40))])
    }

    @Test func `Pages with a gap remain separate until a page joins them`() {
        #expect(ranges(range(0..<20), range(40..<60)) == [range(0..<20), range(40..<60)])
        #expect(ranges(range(0..<20), range(40..<60, next: .offset(60)), range(20..<40)) == [range(0..<60, next: .offset(60))])
    }

    @Test func `A newer page replaces its places in an older range, whose remaining sides preserve their keys`() {
        let old = range(0..<100, previous: .cursor("p"), next: .offset(100))

        #expect(
            ranges(old, range(0..<20, 2, next: .offset(20))) == [range(0..<20, 2, next: .offset(20)), range(20..<100, next: .offset(100))])
        #expect(
            ranges(old, range(40..<60, 2))
                == [range(0..<40, previous: .cursor("p")), range(40..<60, 2), range(60..<100, next: .offset(100))])
        #expect(ranges(old, range(90..<120, 2)) == [range(0..<90, previous: .cursor("p")), range(90..<120, 2)])
        #expect(ranges(old, range(0..<100, 2)) == [range(0..<100, 2)])
    }

    @Test func `An empty prepended page removes the previous key and leaves the range before it unchanged`() {
        let before = range(0..<20, next: .cursor("b"))
        let behind = range(40..<60, previous: .cursor("a"), next: .cursor("c"))

        #expect(ranges(before, behind, range(40..<40)) == [before, range(40..<60, next: .cursor("c"))])
        #expect(
            ranges(range(20..<40, next: .cursor("b")), behind, range(40..<40))
                == [range(20..<60, next: .cursor("c"))])
        #expect(ranges(behind, range(40..<40, previous: .cursor("z"))) == [range(40..<60, previous: .cursor("z"), next: .cursor("c"))])
    }

    @Test func `Ranges beyond a confirmed end are removed`() {
        #expect(ranges(range(0..<100), range(200..<220), range(0..<15, 2, isEnd: true)) == [range(0..<15, 2, isEnd: true)])
    }

    @Test func `An empty page ends the range before it`() {
        #expect(ranges(range(0..<20, next: .offset(20)), range(20..<20, isEnd: true)) == [range(0..<20, isEnd: true)])
        #expect(ranges(range(0..<20, next: .offset(20)), range(20..<20, next: .offset(25))) == [range(0..<20, next: .offset(25))])
    }

    @Test func `An empty page after a range of an older refresh is an end by itself, until the page before it is added`() {
        let (old, end) = (range(0..<20, next: .offset(20)), range(20..<20, 2, previous: .offset(0), isEnd: true))

        #expect(ranges(old, end) == [old, end])
        #expect(ranges(old, end, range(0..<20, 2, next: .offset(20))) == [range(0..<20, 2, isEnd: true)])
        #expect(ranges(old, end, range(20..<25, 2, isEnd: true)) == [old, range(20..<25, 2, isEnd: true)])
        let empty = range(20..<20, 2, next: .offset(25))
        #expect(ranges(old, end, empty) == [old, range(20..<20, 2, previous: .offset(0), next: .offset(25))])
    }

    @Test func `An empty list is stored until its first page is added`() {
        #expect(ranges(range(0..<0, isEnd: true)) == [range(0..<0, isEnd: true)])
        #expect(ranges(range(0..<9), range(0..<0, 2, isEnd: true)) == [range(0..<0, 2, isEnd: true)])
        #expect(ranges(range(0..<0, isEnd: true), range(0..<3, 2)) == [range(0..<3, 2)])
    }

    @Test func `A list that grows beyond its end continues where it ended`() {
        #expect(ranges(range(0..<20, isEnd: true), range(20..<30, next: .offset(30))) == [range(0..<30, next: .offset(30))])
    }
}
