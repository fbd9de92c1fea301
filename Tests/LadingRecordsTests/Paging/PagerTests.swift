import Foundation
import LadingConformance
import LadingRecords
import LadingTesting
import Testing

@Suite struct PagerTests {
    let list = Array(1_000..<1_065)

    /// Returns a harness whose store has the first pages of the list, fetched and read.
    func makeHarness(pages: Int) async throws -> PagerStoreHarness {
        var harness = PagerStoreHarness()
        try await harness.open()
        for page in 0..<pages {
            try await harness.complete(from: list)
            if page + 1 < pages { try await harness.send(.visibleRange(page * 20 + 10..<page * 20 + 20)) }
        }
        return harness
    }

    @Test func `A list that was never stored starts with its first page`() async throws {
        var harness = PagerStoreHarness()
        try await harness.open()

        #expect(harness.fetches.map(\.key) == [.offset(0)])
        #expect(harness.fetches.map(\.generation) == [1])
        try await harness.complete(from: list)
        #expect(harness.slots(0..<5) == [1_000, 1_001, 1_002, 1_003, 1_004])
    }

    @Test func `Stored rows are read before anything is fetched`() async throws {
        var harness = try await makeHarness(pages: 2)
        let store = harness.store

        var other = PagerStoreHarness()
        for run in try await store.loadedRanges() {
            let rows = try await store.records(in: run.places).rows
            _ = try await other.store.store(RecordPage(rows, at: 0, generation: 1, next: run.next))
        }
        try await other.open()

        #expect(other.fetches.isEmpty)
        #expect(other.slots(0..<2) == [1_000, 1_001])
        harness = other
        try await harness.send(.visibleRange(25..<35))
        #expect(harness.fetches.map(\.key) == [.offset(40)])
    }

    @Test func `A refresh before the list is opened starts with the opening, for a new generation`() async throws {
        var harness = PagerStoreHarness()
        _ = try await harness.store.store(RecordPage((0..<20).map { ConformanceRow($0) }, at: 0, generation: 7, next: .offset(20)))

        try await harness.send(.visibleRange(10..<20))
        try await harness.send(.refresh)
        try await harness.send(.refresh)
        #expect(harness.fetches.isEmpty && harness.pager.fetching.isEmpty)
        try await harness.open()

        #expect(harness.fetches.map(\.direction) == [.refresh])
        #expect(harness.fetches.map(\.generation) == [8])
        #expect(harness.slots(18..<20) == [18, 19])
        try await harness.complete(from: list)
        #expect(harness.slots(18..<20) == [1_018, 1_019])
        #expect(harness.fetches.map(\.direction) == [.append])
        try await harness.open()
        #expect(harness.cancelledFetches == [])
    }

    @Test func `The next page is fetched once, before the end is reached`() async throws {
        var harness = try await makeHarness(pages: 1)

        try await harness.send(.visibleRange(0..<5))
        #expect(harness.fetches.isEmpty)
        try await harness.send(.visibleRange(6..<11))
        try await harness.send(.visibleRange(8..<20))
        #expect(harness.fetches.map(\.key) == [.offset(20)])
        #expect(harness.pager.fetching == [.append])
    }

    @Test func `A short page ends the list`() async throws {
        var harness = try await makeHarness(pages: 4)
        try await harness.send(.visibleRange(55..<65))

        #expect(harness.pager.isComplete)
        #expect(harness.fetches.isEmpty)
        #expect(harness.slots(60..<80) == [1_060, 1_061, 1_062, 1_063, 1_064])
    }

    @Test func `An empty page ends the list`() async throws {
        let list = Array(0..<20)
        var harness = PagerStoreHarness()
        try await harness.open()
        try await harness.complete(from: list)
        try await harness.send(.visibleRange(10..<20))
        try await harness.complete(from: list)

        #expect(harness.pager.isComplete)
        #expect(harness.slots(0..<40).count == 20)
    }

    @Test func `A failure preserves the rows and is retried on request`() async throws {
        var harness = try await makeHarness(pages: 1)
        try await harness.send(.visibleRange(10..<20))
        try await harness.fail(harness.fetches[0])
        try await harness.send(.visibleRange(12..<20))

        #expect(harness.fetches.isEmpty)
        #expect(harness.pager.failures.keys.map { $0 } == [.append])
        #expect(harness.slots(18..<20) == [1_018, 1_019])
        try await harness.send(.retry)
        #expect(harness.fetches.map(\.key) == [.offset(20)])
        #expect(harness.pager.failures.isEmpty)
    }

    @Test func `A page whose fetch others cancel is fetched again once, and then fails until a retry`() async throws {
        var harness = try await makeHarness(pages: 1)
        try await harness.send(.visibleRange(10..<20))

        try await harness.cancel(harness.fetches[0])
        #expect(harness.fetches.map(\.key) == [.offset(20)])
        #expect(harness.pager.fetching == [.append] && harness.pager.failures.isEmpty)
        try await harness.cancel(harness.fetches[0])
        try await harness.send(.visibleRange(12..<20))

        #expect(harness.fetches.isEmpty)
        #expect(harness.pager.failures[.append] is CancellationError)
        try await harness.send(.retry)
        try await harness.cancel(harness.fetches[0])
        #expect(harness.fetches.map(\.key) == [.offset(20)])
    }

    @Test func `A refresh that others cancel is repeated for the same generation`() async throws {
        var harness = try await makeHarness(pages: 1)
        try await harness.send(.refresh)
        let cancelled = harness.fetches[0]

        try await harness.cancel(cancelled)

        #expect(harness.fetches.map(\.direction) == [.refresh])
        #expect(harness.fetches.map(\.generation) == [2])
        #expect(harness.fetches[0].number != cancelled.number)
        try await harness.complete(from: list)
        #expect(harness.pager.failures.isEmpty && harness.pager.fetching.isEmpty)
    }

    @Test func `A retry reports an update even if nothing is fetched`() async throws {
        var harness = try await makeHarness(pages: 1)
        try await harness.send(.visibleRange(10..<20))
        try await harness.fail(harness.fetches[0])
        let updates = harness.updateCount
        try await harness.send(.retry)
        #expect(harness.updateCount > updates)

        var other = try await self.makeHarness(pages: 3)
        try await other.send(.visibleRange(50..<60))
        try await other.fail(other.fetches[0])
        try await other.send(.visibleRange(0..<10))
        let earlier = other.updateCount
        try await other.send(.retry)
        #expect(other.updateCount > earlier && other.fetches.isEmpty && other.pager.failures.isEmpty)
    }

    @Test func `An outdated page is reported as no longer in flight`() async throws {
        var harness = try await makeHarness(pages: 1)
        try await harness.send(.visibleRange(10..<20))
        let late = harness.fetches[0]
        try await harness.send(.changed([LoadedRange(places: 0..<20, generation: 2, isEnd: true)]))
        let updates = harness.updateCount
        try await harness.send(.dropped(late.number))

        #expect(harness.updateCount > updates)
        #expect(harness.pager.fetching.isEmpty)
    }

    @Test func `Unreadable rows are read again on retry and when the store changes`() async throws {
        for event in [Pager<ConformanceRow>.Event.retry, .changed([LoadedRange(places: 0..<20, generation: 2, isEnd: true)])] {
            var harness = try await makeHarness(pages: 1)
            try await harness.send(.visibleRange(0..<10))
            _ = try await harness.store.store(RecordPage((0..<20).map { ConformanceRow(2_000 + $0) }, at: 0, generation: 2, isEnd: true))
            harness.failsReads = true
            try await harness.send(.changed(harness.store.loadedRanges()))
            #expect(harness.pager.readFailure != nil)
            #expect(harness.slots(0..<1) == [1_000])

            harness.failsReads = false
            try await harness.send(event)
            #expect(harness.slots(0..<1) == [2_000])
            #expect(harness.pager.readFailure == nil)
        }
    }

    @Test func `A failed refresh preserves the rows, and paging continues`() async throws {
        var harness = try await makeHarness(pages: 1)
        try await harness.send(.refresh)
        try await harness.fail(harness.fetches[0])
        try await harness.send(.visibleRange(10..<20))

        #expect(harness.slots(0..<20).count == 20)
        #expect(harness.fetches.map(\.key) == [.offset(20)])
        #expect(harness.fetches.map(\.generation) == [1])
        try await harness.send(.retry)
        #expect(harness.fetches.map(\.direction) == [.refresh])
    }

    @Test func `A refresh cancels fetches in flight, and their late results change nothing`() async throws {
        var harness = try await makeHarness(pages: 1)
        try await harness.send(.visibleRange(10..<20))
        let old = harness.fetches[0]
        try await harness.send(.refresh)

        #expect(harness.cancelledFetches == [old.number])
        #expect(harness.fetches.map(\.generation) == [2])
        let before = harness.pager.loadedRanges
        try await harness.send(.fetched(old.number, LoadedRange(places: 20..<40, generation: 1)))
        #expect(harness.pager.loadedRanges == before)
    }

    @Test func `After a refresh older rows remain until their places are covered`() async throws {
        var harness = try await makeHarness(pages: 3)
        try await harness.send(.visibleRange(0..<5))
        try await harness.send(.refresh)
        let renewed = Array(2_000..<2_065)
        try await harness.complete(from: renewed)

        #expect(harness.slots(18..<22) == [2_018, 2_019, 1_020, 1_021])
        #expect(harness.fetches.isEmpty)
        try await harness.send(.visibleRange(8..<18))
        #expect(harness.fetches.map(\.key) == [.offset(20)])
        try await harness.complete(from: renewed)
        #expect(harness.slots(18..<22) == [2_018, 2_019, 2_020, 2_021])
    }

    @Test func `After a refresh the page in view is fetched again, and then those beside it`() async throws {
        var harness = try await makeHarness(pages: 3)
        try await harness.send(.visibleRange(45..<50))
        try await harness.send(.refresh)
        let renewed = Array(2_000..<2_065)
        try await harness.complete(from: renewed)

        #expect(harness.fetches.map(\.key) == [.offset(40)])
        #expect(harness.fetches.map(\.generation) == [2])
        try await harness.complete(from: renewed)
        #expect(harness.slots(45..<50) == [2_045, 2_046, 2_047, 2_048, 2_049])
        #expect(harness.fetches.map(\.key) == [.offset(20)])
        try await harness.complete(from: renewed)
        #expect(harness.slots(35..<60) == Array(2_035..<2_060))
        #expect(harness.fetches.isEmpty)
    }

    @Test func `An outdated page in view that cannot be fetched is shown until a retry`() async throws {
        var harness = try await makeHarness(pages: 3)
        try await harness.send(.visibleRange(45..<50))
        try await harness.send(.refresh)
        let renewed = Array(2_000..<2_065)
        try await harness.complete(from: renewed)

        try await harness.fail(harness.fetches[0])
        try await harness.send(.visibleRange(44..<49))
        #expect(harness.fetches.isEmpty)
        #expect(harness.slots(44..<46) == [1_044, 1_045])
        #expect(harness.pager.failures.keys.map { $0 } == [.seek])
        try await harness.send(.retry)
        #expect(harness.fetches.map(\.key) == [.offset(40)])
        try await harness.complete(from: renewed)
        #expect(harness.slots(44..<46) == [2_044, 2_045])
    }

    @Test func `Rows that were appended to a complete list are found at its end after a refresh`() async throws {
        var harness = try await makeHarness(pages: 4)
        #expect(harness.pager.isComplete)
        let longer = list + Array(3_000..<3_015)
        try await harness.send(.visibleRange(60..<65))
        try await harness.send(.refresh)
        #expect(harness.pager.isComplete)

        try await harness.complete(from: longer)
        #expect(!harness.pager.isComplete)
        #expect(harness.fetches.map(\.key) == [.offset(60)])
        try await harness.complete(from: longer)
        try await harness.send(.visibleRange(75..<80))
        for _ in 0..<10 { try await harness.complete(from: longer) }

        #expect(harness.slots(75..<90) == Array(3_010..<3_015))
        #expect(harness.pager.isComplete && harness.fetches.isEmpty)
    }

    @Test func `The end of a list that has become shorter than the view is found without fetching a page twice`() async throws {
        var harness = try await makeHarness(pages: 4)
        let shorter = Array(list.prefix(30))
        try await harness.send(.visibleRange(60..<65))
        try await harness.send(.refresh)
        var keys: [PageKey] = []
        for view in [60..<65, 35..<40, 25..<30] {
            try await harness.send(.visibleRange(view))
            while let fetch = harness.fetches.first, keys.count < 20 {
                keys.append(fetch.key)
                try await harness.complete(fetch, from: shorter, 20)
            }
        }

        #expect(keys == [.offset(0), .offset(60), .offset(40), .offset(20)])
        #expect(harness.slots(15..<65) == Array(list[15..<30]))
        #expect(harness.pager.isComplete)
    }

    @Test(arguments: [(250, 1_000), (250, 270), (260, 270), (240, 1_000)])
    func `A jump beyond the end finds the end without fetching a page twice`(count: Int, place: Int) async throws {
        var harness = PagerStoreHarness()
        try await harness.open()
        try await harness.complete(from: Array(0..<count))
        var keys: [PageKey] = []
        try await harness.send(.visibleRange(place..<place + 1))
        while let fetch = harness.fetches.first, keys.count < 100 {
            keys.append(fetch.key)
            try await harness.complete(fetch, from: Array(0..<count), 20)
        }

        #expect(Set(keys).count == keys.count && keys.count < 20)
        #expect(harness.pager.isComplete)
    }

    @Test func `A jump fetches the target page and shows placeholders in between`() async throws {
        let list = Array(0..<1_000)
        var harness = PagerStoreHarness()
        try await harness.open()
        try await harness.complete(from: list)
        try await harness.send(.visibleRange(507..<508))

        #expect(harness.fetches.map(\.key) == [.offset(500)])
        #expect(harness.pager.fetching == [.seek])
        try await harness.complete(from: list)
        #expect(harness.slots(498..<502) == [nil, nil, 500, 501])
        #expect(harness.slots(100..<102) == [nil, nil])
        // The pages on both sides come within the prefetch distance.
        #expect(harness.fetches.map(\.key) == [.offset(480)])
        try await harness.send(.visibleRange(505..<515))
        #expect(harness.fetches.map(\.key) == [.offset(480), .offset(520)])
        try await harness.complete(from: list)
        #expect(harness.slots(498..<502) == [498, 499, 500, 501])
    }

    @Test func `Rows that moved down by more than the prefetch distance are followed by new ones`() async throws {
        var harness = try await makeHarness(pages: 3)
        let moved = Array(2_000..<2_060) + list

        try await harness.send(.visibleRange(59..<60))
        while !harness.fetches.isEmpty { try await harness.complete(from: moved) }

        #expect(harness.pager.records.map(\.row.id).suffix(7) == [1_058, 1_059, 1_060, 1_061, 1_062, 1_063, 1_064])
        #expect(harness.pager.isComplete)
    }

    @Test func `Pages without known places are fetched only in sequence`() async throws {
        var harness = PagerStoreHarness(CursorPaging())
        try await harness.open()
        _ = try await harness.store.store(RecordPage((0..<20).map { ConformanceRow($0) }, at: 0, generation: 1, next: .cursor("b")))
        try await harness.send(.fetched(harness.fetches[0].number, LoadedRange(places: 0..<20, generation: 1, next: .cursor("b"))))
        try await harness.send(.visibleRange(500..<501))

        #expect(harness.fetches.dropFirst().isEmpty)
    }

    @Test func `A list that was opened in the middle prepends pages`() async throws {
        var harness = PagerStoreHarness(CursorPaging())
        _ = try await harness.store.store(
            RecordPage((0..<20).map { ConformanceRow($0) }, at: 0, generation: 1, previous: .cursor("a"), next: .cursor("c")))
        try await harness.open()

        #expect(harness.fetches.map(\.key) == [.cursor("a")])
        #expect(harness.fetches.map(\.anchor) == [.end(0)])
    }

    @Test func `The number of rows in memory is bounded while scrolling`() async throws {
        var harness = PagerStoreHarness()
        let rows = (0..<1_500).map { ConformanceRow($0) }
        _ = try await harness.store.store(RecordPage(rows, at: 0, generation: 1, isEnd: true))
        try await harness.open()

        for start in Array(stride(from: 0, to: 1_480, by: 7)) + stride(from: 1_480, to: 0, by: -13) {
            try await harness.send(.visibleRange(start..<start + 20))
            #expect(harness.slots(start..<start + 20) == Array(start..<start + 20))
            #expect(harness.pager.records.count <= 100)
        }
        // Rows are read in batches, not one by one.
        #expect(harness.readCount < 240)
    }

    @Test func `A visible range that is too long is truncated`() async throws {
        var harness = PagerStoreHarness()
        _ = try await harness.store.store(RecordPage((0..<999).map { ConformanceRow($0) }, at: 0, generation: 1, isEnd: true))
        try await harness.open()
        try await harness.send(.visibleRange(0..<900))

        #expect(harness.pager.records.count <= 100)
        #expect(harness.slots(0..<1) == [0])
    }
}
