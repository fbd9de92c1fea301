import Foundation
import LadingFeeds
import LadingTesting
import Testing

/// Each comparison of the pager, from both sides.
@Suite struct PagerBoundaryTests {
    private typealias TestPager = PagerPad.TestPager

    private struct Failure: Error {}

    /// The first page of a list that goes on.
    private let first = PageRun(places: 0..<20, generation: 1, next: .offset(20))
    /// The last page of a list.
    private let last = PageRun(places: 500..<520, generation: 1, previous: .offset(480), isEnd: true)
    /// All of a list.
    private let whole = PageRun(places: 0..<999, generation: 1, isEnd: true)

    // MARK: Limits

    @Test(arguments: [(0, 40, 1, 40), (1, 40, 1, 40), (2, 40, 2, 40), (10, 39, 10, 40), (10, 40, 10, 40), (10, 41, 10, 41)])
    func `The reach is at least one place, and memory holds four times the reach`(
        reach: Int, kept: Int, expectedReach: Int, expectedKept: Int
    ) {
        let limits = TestPager.Limits(reach: reach, kept: kept)

        #expect(limits.reach == expectedReach)
        #expect(limits.kept == expectedKept)
    }

    @Test(arguments: [(69, "read 0..<79"), (70, "read 0..<80"), (71, "read 0..<80")])
    func `A view has as many places as memory holds without the reach on both sides`(count: Int, reading: String) {
        var pad = PagerPad([whole], view: 500..<501)

        #expect(pad.readings(.show(0..<count)) == reading)
    }

    // MARK: Pages behind and before a run

    @Test(arguments: [
        // In view before the end of the run, …
        (9..<10, ""), (10..<11, "append offset:20"), (19..<20, "append offset:20"),
        // … and behind it.
        (20..<21, "append offset:20"), (30..<31, "append offset:20"), (31..<32, "jump offset:20"), (40..<41, "jump offset:40"),
    ])
    func `The page behind a run is fetched within the reach, and further away the page in view`(view: Range<Int>, fetches: String) {
        var pad = PagerPad([first])

        #expect(pad.fetches(.show(view)) == fetches)
    }

    @Test(arguments: [
        (511..<512, ""), (510..<511, "prepend offset:480"), (500..<501, "prepend offset:480"),
        (499..<500, "prepend offset:480"), (490..<491, "prepend offset:480"), (489..<490, "jump offset:480"),
        (479..<480, "jump offset:460"),
    ])
    func `The page before a run is fetched within the reach, and further away the page in view`(view: Range<Int>, fetches: String) {
        var pad = PagerPad([last], view: 515..<516)

        #expect(pad.fetches(.show(view)) == fetches)
    }

    @Test(arguments: [(20, ""), (30, ""), (31, "jump offset:20")])
    func `A page behind a run that could not be fetched is fetched for a view beyond the reach only`(place: Int, fetches: String) {
        var pad = PagerPad([first])
        #expect(pad.fetches(.show(10..<11)) == "append offset:20")
        _ = pad.handle(.failed(pad.flights[0].number, Failure()))

        #expect(pad.fetches(.jump(to: place)) == fetches)
    }

    @Test(arguments: [(499, ""), (490, ""), (489, "jump offset:480")])
    func `A page before a run that could not be fetched is fetched for a view beyond the reach only`(place: Int, fetches: String) {
        var pad = PagerPad([last], view: 515..<516)
        #expect(pad.fetches(.show(510..<511)) == "prepend offset:480")
        _ = pad.handle(.failed(pad.flights[0].number, Failure()))

        #expect(pad.fetches(.jump(to: place)) == fetches)
    }

    @Test func `A page that is under way is not fetched in another direction`() {
        var pad = PagerPad([first])

        // The view lies within the reach of the run, and its middle does not.
        #expect(pad.fetches(.show(25..<45)) == "append offset:20")
        #expect(pad.fetches(.show(60..<61)) == "jump offset:60")
    }

    @Test(arguments: [19, 20, 21])
    func `Behind the end of the list nothing is fetched`(place: Int) {
        var pad = PagerPad([PageRun(places: 0..<20, generation: 1, isEnd: true)])

        #expect(pad.fetches(.jump(to: place)) == "")
    }

    @Test func `A run without an end does not keep a jump from the places behind it`() {
        var pad = PagerPad([PageRun(places: 0..<20, generation: 1)])

        #expect(pad.fetches(.jump(to: 19)) == "")
        #expect(pad.fetches(.jump(to: 20)) == "jump offset:20")
    }

    @Test func `In front of the first place nothing is fetched`() {
        var pad = PagerPad([last], view: 515..<516)
        #expect(pad.fetches(.show(-2 ..< -1)) == "")
        #expect(pad.fetches(.show(-1..<1)) == "jump offset:0")
    }

    @Test func `An empty view neither fetches nor reads`() {
        var ends = PagerPad([first])
        #expect(ends.handle(.show(20..<20)) == "")

        var reads = PagerPad([whole])
        #expect(reads.handle(.show(500..<500)) == "")
    }

    // MARK: Generations

    @Test(arguments: [(1, 1, ""), (2, 1, "append offset:20"), (1, 2, "prepend offset:0")])
    func `Of two runs that touch the newer one grows, and neither of one refresh`(front: Int, behind: Int, fetches: String) {
        let runs = [
            PageRun(places: 0..<20, generation: front, next: .offset(20)),
            PageRun(places: 20..<40, generation: behind, previous: .offset(0), isEnd: true),
        ]
        var pad = PagerPad(runs, view: 0..<1)

        #expect(pad.fetches(.show(19..<21)) == fetches)
        #expect(pad.flights.allSatisfy { $0.generation == max(front, behind) })
    }

    @Test(arguments: [(1, 1), (1, 2), (2, 1)])
    func `Two runs with a gap between them both grow`(front: Int, behind: Int) {
        let runs = [
            PageRun(places: 0..<20, generation: front, next: .offset(20)),
            PageRun(places: 60..<80, generation: behind, previous: .offset(40), isEnd: true),
        ]
        var pad = PagerPad(runs)

        #expect(pad.fetches(.show(15..<65)) == "append offset:20, prepend offset:40")
    }

    @Test func `A refresh is one generation newer than the newest run, and cancels flights in their order`() {
        let runs = [
            PageRun(places: 0..<20, generation: 3, next: .offset(20)),
            PageRun(places: 60..<80, generation: 2, previous: .offset(40), isEnd: true),
        ]
        var pad = PagerPad(runs)
        _ = pad.fetches(.show(15..<65))
        let numbers = pad.flights.map(\.number)
        #expect(numbers == numbers.sorted() && numbers.count == 2)

        let cancelled = numbers.map { "cancel \($0), " }.joined()

        #expect(pad.fetches(.refresh) == cancelled + "refresh offset:0")
        #expect(pad.flights.map(\.generation) == [3, 3, 4])
        // Nothing else is fetched before the first page is there.
        #expect(pad.fetches(.show(15..<66)) == "")
    }

    @Test func `A page of a list of which nothing is known any more belongs to the first generation`() {
        var pad = PagerPad([PageRun(places: 0..<20, generation: 1, isEnd: true)])

        #expect(pad.fetches(.changed([])) == "jump offset:0")
        #expect(pad.flights.map(\.generation) == [1])
    }

    @Test func `Without the first page no other is fetched until a retry`() {
        var pad = PagerPad([])
        #expect(pad.flights.map(\.direction) == [.refresh])

        let number = pad.flights[0].number
        #expect(pad.fetches(.failed(number, Failure())) == "")
        #expect(pad.fetches(.jump(to: 500)) == "")
        #expect(pad.fetches(.retry) == "refresh offset:0")
    }

    @Test func `A retry without a failure does nothing`() {
        var pad = PagerPad([first])
        var effects: [TestPager.Effect] = []
        var pager = pad.pager

        pager.handle(.retry, effects: &effects)

        #expect(effects.isEmpty)
        #expect(pad.handle(.retry) == "")
    }

    // MARK: Readings

    @Test(arguments: [
        (0..<70, ""), (1..<71, "read 80..<91"),
        // The wanted places end at 90 and begin at 79 or 80, where memory ends.
        (89..<99, "read 80..<119"), (90..<100, "read 80..<110"),
    ])
    func `Rows behind those in memory are read when they come within the reach`(view: Range<Int>, readings: String) {
        var pad = PagerPad([whole], view: 0..<70)
        #expect(pad.pager.window == 0..<80)

        #expect(pad.readings(.show(view)) == readings)
    }

    @Test func `Rows that touch those in memory are read as a new whole, and rows that overlap them are added`() {
        var touching = PagerPad([whole], view: 0..<70)
        _ = touching.handle(.show(90..<100))
        #expect(touching.pager.window == 80..<110)

        var overlapping = PagerPad([whole], view: 0..<70)
        _ = overlapping.handle(.show(89..<99))
        #expect(overlapping.pager.window == 19..<119)
    }

    @Test(arguments: [(100..<149, ""), (99..<149, "read 79..<90")])
    func `Rows before those in memory are read when they come within the reach`(view: Range<Int>, readings: String) {
        var pad = PagerPad([whole], view: 100..<150)
        #expect(pad.pager.window == 90..<160)

        #expect(pad.readings(.show(view)) == readings)
    }

    @Test(arguments: [
        // As many as memory holds, and one more.
        (10..<80, 0..<100), (11..<81, 0..<100),
        // The view is as far from both ends, and nearer to the back.
        (20..<81, 0..<100), (21..<81, 1..<101),
    ])
    func `What is farthest from the view is dropped from memory`(view: Range<Int>, window: Range<Int>) {
        var pad = PagerPad([whole], view: 0..<70)

        _ = pad.handle(.show(view))

        #expect(pad.pager.window == window)
        #expect(pad.pager.records.map(\.place) == Array(window))
    }

    @Test func `Only places that runs cover are read`() {
        let run = PageRun(places: 5..<15, generation: 1, isEnd: true)
        var pad = PagerPad([run], view: 500..<501)

        #expect(pad.pager.window.isEmpty)
        #expect(pad.readings(.show(25..<26)) == "")
        #expect(pad.readings(.show(24..<25)) == "read 14..<15")
        #expect(pad.readings(.changed([run])) == "read 14..<15")
    }

    @Test func `A reading that was not expected changes nothing`() {
        var pad = PagerPad([whole])
        let records = pad.pager.records.map(\.place)

        #expect(pad.handle(.read(99, [])) == "")
        #expect(pad.handle(.unread(99, Failure())) == "")
        #expect(pad.pager.records.map(\.place) == records)
        #expect(pad.pager.readFailure == nil)
    }

    // MARK: Slots

    @Test func `Places end with the last run, and those between runs are placeholders`() {
        let runs = [PageRun(places: 0..<3, generation: 1), PageRun(places: 5..<8, generation: 1)]
        let pad = PagerPad(runs, view: 0..<10)

        #expect(pad.shown(0..<1) == ["0"])
        #expect(pad.shown(1..<7) == ["1", "2", "(3)", "(4)", "5", "6"])
        #expect(pad.shown(7..<9) == ["7"])
        #expect(pad.shown(8..<9).isEmpty)
        #expect(pad.shown(9..<12).isEmpty)
        #expect(PagerPad([]).shown(0..<5).isEmpty)
    }

    @Test func `A place outside memory is a placeholder`() {
        let pad = PagerPad([whole], view: 100..<150)

        #expect(pad.shown(89..<91) == ["(89)", "90"])
        #expect(pad.shown(159..<161) == ["159", "(160)"])
    }

    @Test func `Without a view the first place is in view`() {
        var pager = TestPager(paging: OffsetPaging(pageLength: 20), limits: .init(reach: 10, kept: 100))
        var effects: [TestPager.Effect] = []

        pager.handle(.opened([whole]), effects: &effects)

        #expect(effects == [.read(1, 0..<11)])
    }

    @Test func `A covered place without a row is not shown`() {
        var pager = TestPager(paging: OffsetPaging(pageLength: 20), limits: .init(reach: 10, kept: 100))
        var effects: [TestPager.Effect] = []
        pager.handle(.opened([PageRun(places: 0..<5, generation: 1, isEnd: true)]), effects: &effects)
        #expect(effects == [.read(1, 0..<5)])
        let records = [0, 1, 3].map { StoredRecord(ConformanceRow($0), place: $0, generation: 1, stored: .distantPast) }
        pager.handle(.read(1, records), effects: &effects)

        let places = pager.slots(in: 0..<9).map { slot in
            if case .row(let record) = slot { record.place } else { -1 }
        }

        #expect(places == [0, 1, 3])
    }

    @Test func `A list is complete when its last run is an end`() {
        #expect(!PagerPad([]).pager.isComplete)
        #expect(!PagerPad([first]).pager.isComplete)
        #expect(PagerPad([first, last]).pager.isComplete)
    }
}
