import Foundation
import LadingConformance
import LadingRecords
import Testing

/// Tests of both sides of each comparison in the pager.
@Suite struct PagerBoundaryTests {
    private typealias TestPager = PagerHarness.TestPager

    private struct Failure: Error {}

    /// The first page of a longer list.
    private let first = LoadedRange(places: 0..<20, generation: 1, next: .offset(20))
    /// The last page of a list.
    private let last = LoadedRange(places: 500..<520, generation: 1, previous: .offset(480), isEnd: true)
    /// A complete list.
    private let whole = LoadedRange(places: 0..<999, generation: 1, isEnd: true)

    // MARK: Limits

    @Test(arguments: [(0, 40, 1, 40), (1, 40, 1, 40), (2, 40, 2, 40), (10, 39, 10, 40), (10, 40, 10, 40), (10, 41, 10, 41)])
    func `The prefetch distance is at least one place, and the buffer holds at least four times as many`(
        distance: Int, bufferLimit: Int, expectedDistance: Int, expectedBufferLimit: Int
    ) {
        let limits = PagerLimits(prefetchDistance: distance, bufferLimit: bufferLimit)

        #expect(limits.prefetchDistance == expectedDistance)
        #expect(limits.bufferLimit == expectedBufferLimit)
    }

    @Test(arguments: [(69, "read 0..<79"), (70, "read 0..<80"), (71, "read 0..<80")])
    func `The visible range is limited to the buffer without the prefetch distance on both sides`(count: Int, reading: String) {
        var harness = PagerHarness([whole], view: 500..<501)

        #expect(harness.reads(.visibleRange(0..<count)) == reading)
    }

    @Test(arguments: [Int.min, -(1 << 40) - 1, 1 << 40, .max - 1, .max]) func `Extreme places are clamped`(place: Int) {
        var harness = PagerHarness([whole])
        let last = min(place, Int.max - 1)

        _ = harness.handle(.visibleRange(place..<place))
        _ = harness.handle(.visibleRange(last..<last + 1))
        _ = harness.handle(.visibleRange(min(place, 0)..<max(place, 0)))

        #expect(harness.handle(.visibleRange(0..<1)) == "")
        #expect(PagerLimits(prefetchDistance: place, bufferLimit: place).bufferLimit >= 4)
    }

    // MARK: Pages after and before a range

    @Test(arguments: [
        // Views before the end of the range,
        (9..<10, ""), (10..<11, "append offset:20"), (19..<20, "append offset:20"),
        // and after it.
        (20..<21, "append offset:20"), (30..<31, "append offset:20"), (31..<32, "seek offset:20"), (40..<41, "seek offset:40"),
    ])
    func `The page after a range is fetched within the prefetch distance, and further away the visible page`(
        view: Range<Int>, fetches: String
    ) {
        var harness = PagerHarness([first])

        #expect(harness.fetches(.visibleRange(view)) == fetches)
    }

    @Test(arguments: [
        (511..<512, ""), (510..<511, "prepend offset:480"), (500..<501, "prepend offset:480"),
        (499..<500, "prepend offset:480"), (490..<491, "prepend offset:480"), (489..<490, "seek offset:480"),
        (479..<480, "seek offset:460"),
    ])
    func `The page before a range is fetched within the prefetch distance, and further away the visible page`(
        view: Range<Int>, fetches: String
    ) {
        var harness = PagerHarness([last], view: 515..<516)

        #expect(harness.fetches(.visibleRange(view)) == fetches)
    }

    @Test(arguments: [(20, ""), (30, ""), (31, "seek offset:20")])
    func `After a failed append a page is fetched only for a view beyond the prefetch distance`(place: Int, fetches: String) {
        var harness = PagerHarness([first])
        #expect(harness.fetches(.visibleRange(10..<11)) == "append offset:20")
        _ = harness.handle(.failed(harness.allFetches[0].number, Failure()))

        #expect(harness.fetches(.visibleRange(place..<place + 1)) == fetches)
    }

    @Test(arguments: [(499, ""), (490, ""), (489, "seek offset:480")])
    func `After a failed prepend a page is fetched only for a view beyond the prefetch distance`(place: Int, fetches: String) {
        var harness = PagerHarness([last], view: 515..<516)
        #expect(harness.fetches(.visibleRange(510..<511)) == "prepend offset:480")
        _ = harness.handle(.failed(harness.allFetches[0].number, Failure()))

        #expect(harness.fetches(.visibleRange(place..<place + 1)) == fetches)
    }

    @Test func `A page that is being fetched is not fetched in another direction`() {
        var harness = PagerHarness([first])

        // The view is within the prefetch distance of the range, and its middle is not.
        #expect(harness.fetches(.visibleRange(25..<45)) == "append offset:20")
        #expect(harness.fetches(.visibleRange(60..<61)) == "seek offset:60")
    }

    @Test(arguments: [19, 20, 21])
    func `Nothing is fetched beyond the end of the list`(place: Int) {
        var harness = PagerHarness([LoadedRange(places: 0..<20, generation: 1, isEnd: true)])

        #expect(harness.fetches(.visibleRange(place..<place + 1)) == "")
    }

    @Test func `A range without a confirmed end allows a jump beyond it`() {
        var harness = PagerHarness([LoadedRange(places: 0..<20, generation: 1)])

        #expect(harness.fetches(.visibleRange(19..<20)) == "")
        #expect(harness.fetches(.visibleRange(20..<21)) == "seek offset:20")
    }

    @Test func `A range without a key of the previous page allows a jump before it`() {
        var harness = PagerHarness([LoadedRange(places: 500..<520, generation: 1, isEnd: true)], view: 515..<516)

        #expect(harness.fetches(.visibleRange(500..<501)) == "")
        #expect(harness.fetches(.visibleRange(499..<500)) == "seek offset:480")
    }

    @Test func `A range with only a key of the previous page allows a jump beyond it`() {
        var harness = PagerHarness([LoadedRange(places: 500..<520, generation: 1, previous: .offset(480))], view: 515..<516)

        #expect(harness.fetches(.visibleRange(519..<520)) == "")
        #expect(harness.fetches(.visibleRange(520..<521)) == "seek offset:520")
    }

    @Test func `Nothing is fetched before the first place`() {
        var harness = PagerHarness([last], view: 515..<516)
        #expect(harness.fetches(.visibleRange(-2 ..< -1)) == "")
        #expect(harness.fetches(.visibleRange(-1..<1)) == "seek offset:0")
    }

    @Test func `An empty visible range neither fetches nor reads`() {
        var ends = PagerHarness([first])
        #expect(ends.handle(.visibleRange(20..<20)) == "")

        var reads = PagerHarness([whole])
        #expect(reads.handle(.visibleRange(500..<500)) == "")
    }

    // MARK: Generations

    @Test(arguments: [(1, 1, ""), (2, 1, "append offset:20"), (1, 2, "prepend offset:0")])
    func `Of two adjacent ranges the newer one grows, and neither if they belong to one refresh`(front: Int, behind: Int, fetches: String) {
        let runs = [
            LoadedRange(places: 0..<20, generation: front, next: .offset(20)),
            LoadedRange(places: 20..<40, generation: behind, previous: .offset(0), isEnd: true),
        ]
        let harness = PagerHarness(runs, view: 19..<21)

        #expect(harness.allFetches.map { "\($0.direction) \($0.key)" }.joined() == fetches)
        #expect(harness.allFetches.allSatisfy { $0.generation == max(front, behind) })
    }

    @Test(arguments: [(1, 1), (1, 2), (2, 1)])
    func `Two ranges with a gap between them both grow`(front: Int, behind: Int) {
        let runs = [
            LoadedRange(places: 0..<20, generation: front, next: .offset(20)),
            LoadedRange(places: 60..<80, generation: behind, previous: .offset(40), isEnd: true),
        ]
        var harness = PagerHarness(runs)

        #expect(harness.fetches(.visibleRange(15..<65)) == "append offset:20, prepend offset:40")
    }

    @Test func `A refresh is one generation newer than the newest range and cancels fetches in order`() {
        let runs = [
            LoadedRange(places: 0..<20, generation: 3, next: .offset(20)),
            LoadedRange(places: 60..<80, generation: 2, previous: .offset(40), isEnd: true),
        ]
        var harness = PagerHarness(runs)
        _ = harness.fetches(.visibleRange(15..<65))
        let numbers = harness.allFetches.map(\.number)
        #expect(numbers == numbers.sorted() && numbers.count == 2)

        let cancelled = numbers.map { "cancel \($0), " }.joined()

        #expect(harness.fetches(.refresh) == cancelled + "refresh offset:0")
        #expect(harness.allFetches.map(\.generation) == [3, 3, 4])
        // Only the first page is fetched until it is loaded.
        #expect(harness.fetches(.visibleRange(15..<66)) == "")
    }

    @Test(arguments: [
        // Places beside the newer range and far from it, at its end, which is that of the older refresh, and after it.
        (1, 2, 30, "append offset:20"), (1, 2, 31, "seek offset:20"), (1, 2, 500, "seek offset:500"), (1, 2, 998, "seek offset:980"),
        (1, 2, 999, "seek offset:980"),
        // Both ranges belong to one refresh.
        (2, 2, 31, ""), (2, 2, 500, ""), (2, 2, 998, ""), (2, 2, 999, ""),
    ])
    func `A page in view that an older refresh has loaded is fetched again`(older: Int, newer: Int, place: Int, fetches: String) {
        let runs = [
            LoadedRange(places: 0..<20, generation: newer, next: .offset(20)),
            LoadedRange(places: 20..<999, generation: older, isEnd: true),
        ]
        var harness = PagerHarness(runs)

        #expect(harness.fetches(.visibleRange(place..<place + 1)) == fetches)
        #expect(harness.allFetches.allSatisfy { $0.generation == newer })
    }

    @Test func `A page of an unknown list belongs to the first generation`() {
        var harness = PagerHarness([LoadedRange(places: 0..<20, generation: 1, isEnd: true)])

        #expect(harness.fetches(.changed([])) == "seek offset:0")
        #expect(harness.allFetches.map(\.generation) == [1])
    }

    @Test func `No other page is fetched before the first one succeeds`() {
        var harness = PagerHarness([])
        #expect(harness.allFetches.map(\.direction) == [.refresh])

        let number = harness.allFetches[0].number
        #expect(harness.fetches(.failed(number, Failure())) == "")
        #expect(harness.fetches(.visibleRange(500..<501)) == "")
        #expect(harness.fetches(.retry) == "refresh offset:0")
    }

    @Test func `A retry without a failure has no effect`() {
        var harness = PagerHarness([first])
        var effects: [TestPager.Effect] = []
        var pager = harness.pager

        pager.handle(.retry, effects: &effects)

        #expect(effects.isEmpty)
        #expect(harness.handle(.retry) == "")
    }

    // MARK: Reads

    @Test(arguments: [
        (0..<70, ""), (1..<71, "read 80..<91"),
        // The target range ends at 90 and starts at 79 or 80, the end of the buffer.
        (89..<99, "read 80..<119"), (90..<100, "read 80..<110"),
    ])
    func `Rows after the buffer are read within the prefetch distance`(view: Range<Int>, readings: String) {
        var harness = PagerHarness([whole], view: 0..<70)
        #expect(harness.pager.bufferedRange == 0..<80)

        #expect(harness.reads(.visibleRange(view)) == readings)
    }

    @Test func `Rows adjacent to the buffer replace it, and overlapping rows extend it`() {
        var touching = PagerHarness([whole], view: 0..<70)
        _ = touching.handle(.visibleRange(90..<100))
        #expect(touching.pager.bufferedRange == 80..<110)

        var overlapping = PagerHarness([whole], view: 0..<70)
        _ = overlapping.handle(.visibleRange(89..<99))
        #expect(overlapping.pager.bufferedRange == 19..<119)
    }

    @Test(arguments: [(100..<149, ""), (99..<149, "read 79..<90")])
    func `Rows before the buffer are read within the prefetch distance`(view: Range<Int>, readings: String) {
        var harness = PagerHarness([whole], view: 100..<150)
        #expect(harness.pager.bufferedRange == 90..<160)

        #expect(harness.reads(.visibleRange(view)) == readings)
    }

    @Test(arguments: [
        // As many places as the buffer has, and one more.
        (10..<80, 0..<100), (11..<81, 0..<100),
        // The view has the same distance to both ends, or is nearer to the upper one.
        (20..<81, 0..<100), (21..<81, 1..<101),
    ])
    func `The rows farthest from the view are dropped from the buffer`(view: Range<Int>, window: Range<Int>) {
        var harness = PagerHarness([whole], view: 0..<70)

        _ = harness.handle(.visibleRange(view))

        #expect(harness.pager.bufferedRange == window)
        #expect(harness.pager.records.map(\.place) == Array(window))
    }

    @Test(arguments: [(490..<560, 470..<570), (491..<561, 480..<580)])
    func `The rows farthest from a view that moved towards the first place are dropped from the buffer`(
        view: Range<Int>, window: Range<Int>
    ) {
        var harness = PagerHarness([whole], view: 500..<570)

        _ = harness.handle(.visibleRange(view))

        #expect(harness.pager.bufferedRange == window)
        #expect(harness.pager.records.map(\.place) == Array(window))
    }

    @Test func `The revision is the number of reads that changed the rows in memory`() {
        #expect(PagerHarness([]).pager.recordsRevision == 0)
        var harness = PagerHarness([whole], view: 0..<70)
        #expect(harness.pager.recordsRevision == 1)

        #expect(harness.reads(.visibleRange(0..<60)) == "")
        #expect(harness.pager.recordsRevision == 1)
        #expect(harness.reads(.visibleRange(1..<71)) == "read 80..<91")
        #expect(harness.pager.recordsRevision == 2)
    }

    @Test func `Only places in loaded ranges are read`() {
        let run = LoadedRange(places: 5..<15, generation: 1, isEnd: true)
        var harness = PagerHarness([run], view: 500..<501)

        #expect(harness.pager.bufferedRange.isEmpty)
        #expect(harness.reads(.visibleRange(25..<26)) == "")
        #expect(harness.reads(.visibleRange(24..<25)) == "read 14..<15")
        #expect(harness.reads(.changed([run])) == "read 14..<15")
    }

    @Test func `An unexpected read result changes nothing`() {
        var harness = PagerHarness([whole])
        let records = harness.pager.records.map(\.place)

        #expect(harness.handle(.read(99, [])) == "")
        #expect(harness.handle(.readFailed(99, Failure())) == "")
        #expect(harness.pager.records.map(\.place) == records)
        #expect(harness.pager.readFailure == nil)
    }

    // MARK: Slots

    @Test func `Slots end with the last range, and places between ranges are placeholders`() {
        let runs = [LoadedRange(places: 0..<3, generation: 1), LoadedRange(places: 5..<8, generation: 1)]
        let harness = PagerHarness(runs, view: 0..<10)

        #expect(harness.slots(0..<1) == ["0"])
        #expect(harness.slots(1..<7) == ["1", "2", "(3)", "(4)", "5", "6"])
        #expect(harness.slots(7..<9) == ["7"])
        #expect(harness.slots(8..<9).isEmpty)
        #expect(harness.slots(9..<12).isEmpty)
        #expect(PagerHarness([]).slots(0..<5).isEmpty)
    }

    @Test func `A place outside the buffer is a placeholder`() {
        let harness = PagerHarness([whole], view: 100..<150)

        #expect(harness.slots(89..<91) == ["(89)", "90"])
        #expect(harness.slots(159..<161) == ["159", "(160)"])
    }

    @Test func `The first place is visible by default`() {
        var pager = TestPager(paging: OffsetPaging(pageLength: 20), limits: .init(prefetchDistance: 10, bufferLimit: 100))
        var effects: [TestPager.Effect] = []

        pager.handle(.opened([whole]), effects: &effects)

        #expect(effects == [.read(1, 0..<11)])
    }

    @Test func `A loaded place without a row has no slot`() {
        var pager = TestPager(paging: OffsetPaging(pageLength: 20), limits: .init(prefetchDistance: 10, bufferLimit: 100))
        var effects: [TestPager.Effect] = []
        pager.handle(.opened([LoadedRange(places: 0..<5, generation: 1, isEnd: true)]), effects: &effects)
        #expect(effects == [.read(1, 0..<5)])
        let records = [0, 1, 3].map { StoredRecord(ConformanceRow($0), place: $0, generation: 1, storedAt: .distantPast) }
        pager.handle(.read(1, records), effects: &effects)

        let places = pager.slots(in: 0..<9).map { slot in
            if case .row(let record) = slot { record.place } else { -1 }
        }

        #expect(places == [0, 1, 3])
    }

    @Test func `A list is complete when its last range is a confirmed end`() {
        #expect(!PagerHarness([]).pager.isComplete)
        #expect(!PagerHarness([first]).pager.isComplete)
        #expect(PagerHarness([first, last]).pager.isComplete)
    }

    @Test func `The end of an older refresh is known only if its page cannot be fetched before the others`() {
        let runs = [
            LoadedRange(places: 0..<20, generation: 2, next: .cursor("b")), LoadedRange(places: 20..<65, generation: 1, isEnd: true),
        ]
        #expect(!PagerHarness(runs).pager.isComplete)

        var pager = TestPager(paging: CursorPaging())
        var effects: [TestPager.Effect] = []
        pager.handle(.opened(runs), effects: &effects)
        #expect(pager.isComplete)
    }
}
