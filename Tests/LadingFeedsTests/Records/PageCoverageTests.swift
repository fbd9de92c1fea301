import LadingFeeds
import Testing

@Suite struct PageCoverageTests {
    private func run(
        _ places: Range<Int>, _ generation: Int = 1, previous: PageKey? = nil, next: PageKey? = nil, isEnd: Bool = false
    ) -> PageRun {
        PageRun(places: places, generation: generation, previous: previous, next: next, isEnd: isEnd)
    }

    private func coverage(_ pages: PageRun...) -> [PageRun] {
        var coverage = PageCoverage()
        for page in pages { coverage.add(page) }
        return coverage.runs
    }

    @Test func `Pages of one refresh that touch become one run`() {
        let runs = coverage(
            run(0..<20, next: .offset(20)), run(20..<40, previous: .offset(0), next: .offset(40)), run(-5..<0, previous: .cursor("a")))

        #expect(runs == [run(-5..<40, previous: .cursor("a"), next: .offset(40))])
    }

    @Test func `Pages that do not touch stay apart until one joins them`() {
        #expect(coverage(run(0..<20), run(40..<60)) == [run(0..<20), run(40..<60)])
        #expect(coverage(run(0..<20), run(40..<60, next: .offset(60)), run(20..<40)) == [run(0..<60, next: .offset(60))])
    }

    @Test func `A newer page takes its places out of an older run, which keeps its keys on the sides that are left`() {
        let old = run(0..<100, previous: .cursor("p"), next: .offset(100))

        #expect(coverage(old, run(0..<20, 2, next: .offset(20))) == [run(0..<20, 2, next: .offset(20)), run(20..<100, next: .offset(100))])
        #expect(
            coverage(old, run(40..<60, 2))
                == [run(0..<40, previous: .cursor("p")), run(40..<60, 2), run(60..<100, next: .offset(100))])
        #expect(coverage(old, run(90..<120, 2)) == [run(0..<90, previous: .cursor("p")), run(90..<120, 2)])
        #expect(coverage(old, run(0..<100, 2)) == [run(0..<100, 2)])
    }

    @Test func `An empty page in front says that nothing is there, and nothing of the run before it`() {
        let before = run(0..<20, next: .cursor("b"))
        let behind = run(40..<60, previous: .cursor("a"), next: .cursor("c"))

        #expect(coverage(before, behind, run(40..<40)) == [before, run(40..<60, next: .cursor("c"))])
        #expect(
            coverage(run(20..<40, next: .cursor("b")), behind, run(40..<40))
                == [run(20..<60, next: .cursor("c"))])
        #expect(coverage(behind, run(40..<40, previous: .cursor("z"))) == [run(40..<60, previous: .cursor("z"), next: .cursor("c"))])
    }

    @Test func `Behind a confirmed end nothing is covered`() {
        #expect(coverage(run(0..<100), run(200..<220), run(0..<15, 2, isEnd: true)) == [run(0..<15, 2, isEnd: true)])
    }

    @Test func `An empty page ends the run before it`() {
        #expect(coverage(run(0..<20, next: .offset(20)), run(20..<20, isEnd: true)) == [run(0..<20, isEnd: true)])
        #expect(coverage(run(0..<20, next: .offset(20)), run(20..<20, next: .offset(25))) == [run(0..<20, next: .offset(25))])
    }

    @Test func `An empty list is remembered, and forgotten with its first page`() {
        #expect(coverage(run(0..<0, isEnd: true)) == [run(0..<0, isEnd: true)])
        #expect(coverage(run(0..<9), run(0..<0, 2, isEnd: true)) == [run(0..<0, 2, isEnd: true)])
        #expect(coverage(run(0..<0, isEnd: true), run(0..<3, 2)) == [run(0..<3, 2)])
    }

    @Test func `A list that ends after all goes on where it ended`() {
        #expect(coverage(run(0..<20, isEnd: true), run(20..<30, next: .offset(30))) == [run(0..<30, next: .offset(30))])
    }
}
