import Foundation
import LadingConformance
import LadingRecords
import Testing

/// Tests of loaded places without rows beside the view, which count as visible.
@Suite struct PagerEmptyPlacesTests {
    private typealias TestPager = PagerHarness.TestPager

    /// The first page of a longer list.
    private let first = LoadedRange(places: 0..<20, generation: 1, next: .offset(20))

    @Test(arguments: [
        // The empty places after the view end at 100. At most 69 count as visible, because the buffer holds 70 visible places.
        (20, ""), (21, "append offset:100"), (59, "append offset:100"), (99, "append offset:100"),
    ])
    func `Empty places after the last row in view count as visible`(row: Int, fetches: String) {
        let run = LoadedRange(places: 0..<100, generation: 1, next: .offset(100))

        let harness = PagerHarness([run], rows: 0..<row + 1, view: row..<row + 1)

        #expect(harness.allFetches.map { "\($0.direction) \($0.key)" }.joined() == fetches)
        #expect(harness.pager.bufferedRange.count <= 100)
        #expect(harness.pager.bufferedRange.contains(row))
    }

    @Test(arguments: [(180, ""), (179, "prepend offset:80"), (140, "prepend offset:80"), (100, "prepend offset:80")])
    func `Empty places before the first row in view count as visible`(row: Int, fetches: String) {
        let run = LoadedRange(places: 100..<200, generation: 1, previous: .offset(80), isEnd: true)

        let harness = PagerHarness([run], rows: row..<200, view: row..<row + 1)

        #expect(harness.allFetches.map { "\($0.direction) \($0.key)" }.joined() == fetches)
        #expect(harness.pager.bufferedRange.count <= 100)
        #expect(harness.pager.bufferedRange.contains(row))
    }

    @Test(arguments: [
        // After the row 29 or 30 empty places count as visible, and before it 40 or 39, the rest of the 69.
        (180, "prepend offset:80"), (181, ""),
    ])
    func `Empty places before a row count as visible only as far as those after it permit`(end: Int, fetches: String) {
        let run = LoadedRange(places: 100..<end, generation: 1, previous: .offset(80), isEnd: true)

        let harness = PagerHarness([run], rows: 150..<151, view: 150..<151)

        #expect(harness.allFetches.map { "\($0.direction) \($0.key)" }.joined() == fetches)
    }

    @Test func `An empty first place of the buffer counts as visible for a view after it`() {
        let run = LoadedRange(places: 480..<999, generation: 1, isEnd: true)
        var harness = PagerHarness([run], rows: 491..<999, view: 500..<570)
        #expect(harness.pager.bufferedRange == 490..<580)

        #expect(harness.reads(.visibleRange(491..<492)) == "read 470..<490")
    }

    @Test(arguments: [[100..<200], [100..<160, 160..<200]])
    func `Empty places before the end count as visible for a view after it, from one range into another`(places: [Range<Int>]) {
        let runs = places.map { LoadedRange(places: $0, generation: 1, isEnd: $0.upperBound == 200) }

        let harness = PagerHarness(runs, rows: 100..<150, view: 200..<201)

        #expect(harness.pager.records.map(\.place) == Array(130..<150))
    }

    @Test func `Empty places after a row that is not in view do not count as visible`() {
        let run = LoadedRange(places: 0..<100, generation: 1, next: .offset(100))

        #expect(PagerHarness([run], rows: 0..<60, view: 58..<59).allFetches.isEmpty)
    }

    @Test func `The number of empty places that count as visible is limited`() {
        for (row, isFetched) in [(298, false), (299, true)] {
            var pager = TestPager(paging: OffsetPaging(pageLength: 20), limits: .init(prefetchDistance: 1, bufferLimit: 900))
            var (effects, fetches): ([TestPager.Effect], [PageFetch]) = ([], [])
            pager.handle(.visibleRange(row..<row + 1), effects: &effects)
            pager.handle(.opened([LoadedRange(places: 0..<500, generation: 1, next: .offset(500))]), effects: &effects)
            while let effect = effects.popLast() {
                if case .fetch(let fetch) = effect { fetches.append(fetch) }
                guard case .read(let number, let places) = effect else { continue }
                let records = places.filter { $0 <= row }
                    .map { StoredRecord(ConformanceRow($0), place: $0, generation: 1, storedAt: .distantPast) }
                pager.handle(.read(number, records), effects: &effects)
            }

            #expect(fetches.isEmpty == !isFetched)
        }
    }

    @Test func `Places of a page are not empty before their rows were read`() {
        var harness = PagerHarness([first], view: 19..<20)
        let page = LoadedRange(places: 20..<40, generation: 1, next: .offset(40))

        #expect(harness.handle(.fetched(harness.allFetches[0].number, page)) == "read 20..<40")
        let all = LoadedRange(places: 0..<40, generation: 1, next: .offset(40))
        #expect(harness.handle(.changed([all])) == "read 9..<40, append offset:40")
    }
}
