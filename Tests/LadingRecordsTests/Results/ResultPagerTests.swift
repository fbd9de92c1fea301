import LadingConformance
import LadingRecords
import LadingTesting
import Testing

@Suite struct ResultPagerTests {
    struct ReadFailure: Error {}

    /// Returns rows numbered from 0 with increasing weights.
    func rows(_ count: Int) -> [ConformanceRow] {
        (0..<count).map { ConformanceRow($0, $0 % 7 == 0 ? "lamp" : "shoe", weight: Double($0)) }
    }

    let heaviestFirst = RecordQuery(order: .sorted("weight", descending: true))

    @Test func `The visible rows are read and all rows are counted`() async throws {
        var harness = try await ResultPagerHarness(RecordQuery(search: "lamp"), rows: rows(70))
        try await harness.runUntilIdle(.open)

        #expect(harness.pager.count == 10)
        #expect(harness.rowIDs(in: 0..<3) == [0, 7, 14])
        #expect(harness.pager.isCurrent)
    }

    @Test func `The first row is visible by default`() {
        var pager = ResultPager<ConformanceRow>(RecordQuery(), limits: .init(prefetchDistance: 10, bufferLimit: 100))
        var effects: [ResultPager<ConformanceRow>.Effect] = []

        pager.handle(.open, effects: &effects)

        #expect(effects == [.count(1, RecordQuery()), .read(2, RecordQuery(), .index(0), limit: 11)])
    }

    @Test(arguments: [
        // As many rows as the buffer has, and one more.
        (10..<80, 0..<100), (11..<81, 0..<100),
        // The view has the same distance to both ends, or is nearer to the upper one.
        (20..<81, 0..<100), (21..<81, 1..<101),
    ])
    func `The rows farthest from the view are evicted`(view: Range<Int>, window: Range<Int>) async throws {
        var harness = try await ResultPagerHarness(rows: rows(300))
        harness.send(.visibleRange(0..<70))
        try await harness.runUntilIdle(.open)
        #expect(harness.pager.bufferedRange == 0..<80)

        try await harness.runUntilIdle(.visibleRange(view))

        #expect(harness.pager.bufferedRange == window)
        #expect(harness.rowIDs(in: window) == Array(window))
    }

    @Test func `Scrolling continues from known positions, and memory remains bounded`() async throws {
        var harness = try await ResultPagerHarness(heaviestFirst, rows: rows(500))
        try await harness.runUntilIdle(.open)
        for start in stride(from: 0, to: 490, by: 7) {
            try await harness.runUntilIdle(.visibleRange(start..<start + 10))
            #expect(harness.rowIDs(in: start..<start + 10) == (0..<10).map { 499 - start - $0 })
            #expect(harness.pager.records.count <= 100)
        }
        for start in stride(from: 480, through: 0, by: -9) {
            try await harness.runUntilIdle(.visibleRange(start..<start + 10))
            #expect(harness.rowIDs(in: start..<start + 10) == (0..<10).map { 499 - start - $0 })
        }

        #expect(harness.cursors.first == .index(0))
        #expect(harness.cursors.dropFirst().allSatisfy { if case .index = $0 { false } else { true } })
    }

    @Test(arguments: [Int.min, -1, 1 << 40, .max - 1, .max]) func `Extreme indices are clamped`(index: Int) async throws {
        var harness = try await ResultPagerHarness(rows: rows(30))
        try await harness.runUntilIdle(.open)
        let last = min(index, Int.max - 1)

        try await harness.runUntilIdle(.visibleRange(index..<index))
        try await harness.runUntilIdle(.visibleRange(last..<last + 1))
        try await harness.runUntilIdle(.visibleRange(min(index, 0)..<max(index, 0)))
        try await harness.runUntilIdle(.visibleRange(0..<10))

        #expect(harness.rowIDs(in: 0..<3) == [0, 1, 2])
    }

    @Test func `A jump reads from an index`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(500))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(400..<410))

        #expect(harness.cursors == [.index(0), .index(390)])
        #expect(harness.rowIDs(in: 400..<402) == [400, 401])
    }

    @Test func `Nothing is read repeatedly beyond the end`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(30))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(25..<35))
        let readings = harness.cursors.count
        try await harness.runUntilIdle(.visibleRange(26..<36))
        try await harness.runUntilIdle(.visibleRange(900..<910))
        try await harness.runUntilIdle(.visibleRange(900..<911))

        #expect(harness.cursors.count == readings)
        #expect(harness.rowIDs(in: 29..<31) == [29, nil])
    }

    @Test(arguments: [(10, 1), (11, 2)])
    func `A read with fewer rows than its limit shows the end, and a full one is followed by another`(count: Int, reads: Int) async throws {
        var harness = try await ResultPagerHarness(rows: rows(count))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(0..<2))
        try await harness.runUntilIdle(.visibleRange(0..<3))

        #expect(harness.cursors.count == reads)
        #expect(harness.pager.records.count == count)
    }

    @Test func `Rows added while the end is read are read too`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(180))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(150..<160))
        harness.send(.visibleRange(172..<180))
        try await harness.prepareOne()

        try await harness.put(rows(200))
        try await harness.runUntilIdle(.changed)

        try await harness.runUntilIdle(.visibleRange(192..<200))
        #expect(harness.rowIDs(in: 192..<200) == Array(192..<200))
    }

    @Test func `Results are up to date once all known changes were read and counted`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(5))
        #expect(!harness.pager.isUpToDate)
        try await harness.runUntilIdle(.open)
        #expect(harness.pager.isUpToDate)
        try await harness.put(rows(8))
        harness.send(.changed)
        while !harness.pending.isEmpty {
            #expect(!harness.pager.isUpToDate)
            try await harness.performOne()
        }
        #expect(harness.pager.isUpToDate && harness.pager.count == 8 && harness.rowIDs(in: 7..<8) == [7])

        harness.send(.changed)
        harness.failOne(with: ReadFailure())
        while !harness.pending.isEmpty { try await harness.performOne() }
        #expect(!harness.pager.isUpToDate)
        try await harness.runUntilIdle(.retry)
        #expect(harness.pager.isUpToDate)
    }

    @Test func `While it is paused nothing is read, and resuming reads what has changed`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(5))
        harness.send(.open)
        harness.send(.paused(true))
        while !harness.pending.isEmpty { try await harness.performOne() }
        #expect(harness.pager.isUpToDate && harness.rowIDs(in: 4..<5) == [4])

        try await harness.put(rows(8))
        let events: [ResultPager<ConformanceRow>.Event] = [.changed, .visibleRange(3..<7), .query(heaviestFirst), .retry]
        for event in events { harness.send(event) }
        #expect(harness.pending.isEmpty && !harness.pager.isUpToDate)

        try await harness.runUntilIdle(.paused(false))
        #expect(harness.pager.isUpToDate && harness.pager.count == 8 && harness.rowIDs(in: 0..<2) == [7, 6])
    }

    @Test func `Empty results are up to date`() async throws {
        var harness = try await ResultPagerHarness(rows: [])
        try await harness.runUntilIdle(.open)
        #expect(harness.pager.isUpToDate && harness.pager.count == 0)
    }

    @Test func `A new query starts at its first row and shows the previous rows until it was read`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(200))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(100..<110))
        harness.send(.query(heaviestFirst))

        #expect(!harness.pager.isCurrent)
        #expect(harness.pager.count == nil)
        #expect(harness.rowIDs(in: 100..<101) == [100])
        while !harness.pending.isEmpty { try await harness.performOne() }
        #expect(harness.pager.isCurrent)
        #expect(harness.rowIDs(in: 0..<2) == [199, 198])
        #expect(harness.cursors.last == .index(0))
    }

    @Test(arguments: [
        (0..<20, 30), (100..<120, 30), (0..<1, 11),
        // Indices before the first row are not visible, and at least one row is.
        (-5..<5, 15), (7..<7, 11),
    ])
    func `A new query reads as many rows as were visible, with the prefetch distance`(view: Range<Int>, limit: Int) async throws {
        var harness = try await ResultPagerHarness(rows: rows(200))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(view))

        harness.send(.query(heaviestFirst))
        #expect(harness.pendingReadLimits == [limit])
        harness.send(.query(RecordQuery(search: "lamp")))
        #expect(harness.pendingReadLimits == [limit])
    }

    @Test func `Failures of an older query are ignored`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(50))
        harness.send(.open)
        let old = harness.pending
        harness.send(.query(heaviestFirst))
        let current = harness.pending

        for case .read(let number, _, _, _) in old { harness.send(.failed(number, ReadFailure())) }
        for case .count(let number, _) in old { harness.send(.failed(number, ReadFailure())) }

        #expect(harness.pager.failure == nil)
        #expect(harness.pending == current)
    }

    @Test func `Results of an older query are ignored`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(50))
        harness.send(.open)
        let old = harness.pending
        harness.send(.query(RecordQuery(search: "nowhere")))
        #expect(harness.cancelled.count == old.count)
        for case .read(let number, let query, let start, let limit) in old {
            try await harness.send(.read(number, harness.store.records(query, from: start, limit: limit)))
        }
        while !harness.pending.isEmpty { try await harness.performOne() }

        #expect(harness.pager.records.isEmpty)
        #expect(harness.pager.count == 0)
    }

    @Test func `Setting the same query has no effect`() async throws {
        var harness = try await ResultPagerHarness(heaviestFirst, rows: rows(50))
        try await harness.runUntilIdle(.open)
        harness.send(.query(heaviestFirst))

        #expect(harness.pending.isEmpty)
        #expect(harness.pager.isCurrent)
    }

    @Test func `A change during a read causes another read`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(20))
        harness.send(.open)
        try await harness.put(rows(30))
        harness.send(.changed)
        harness.send(.changed)
        #expect(harness.pending.count == 2)
        while !harness.pending.isEmpty { try await harness.performOne() }

        #expect(harness.pager.count == 30)
        #expect(harness.cursors.count <= 3)
        try await harness.runUntilIdle(.visibleRange(20..<30))
        #expect(harness.rowIDs(in: 28..<31) == [28, 29, nil])
    }

    @Test func `Results that became short are read from their new end`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(200))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(150..<160))
        try await harness.put(rows(40))
        try await harness.runUntilIdle(.changed)

        #expect(harness.pager.count == 40)
        #expect(harness.rowIDs(in: 150..<151) == [nil])
        try await harness.runUntilIdle(.visibleRange(30..<40))
        #expect(harness.rowIDs(in: 38..<40) == [38, 39])
    }

    @Test func `Rows removed before the buffer are detected by the next read`() async throws {
        var harness = try await ResultPagerHarness(heaviestFirst, rows: rows(300))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(60..<70))
        try await harness.runUntilIdle(.visibleRange(200..<210))
        try await harness.put(Array(rows(120)))
        try await harness.runUntilIdle(.visibleRange(185..<195))

        #expect(harness.pager.records.count <= 100)
        try await harness.runUntilIdle(.visibleRange(0..<10))
        #expect(harness.rowIDs(in: 0..<2) == [119, 118])
    }

    @Test func `Rows in memory retain their indices after a short read before them, until they are read again`() async throws {
        var harness = try await ResultPagerHarness(heaviestFirst, rows: rows(300))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(60..<70))
        // Of the 50 rows before those in memory 10 remain.
        try await harness.put(rows(260))
        harness.send(.visibleRange(45..<55))
        try await harness.performOne()

        #expect(harness.rowIDs(in: 49..<51) == [250, 249])
        while !harness.pending.isEmpty { try await harness.performOne() }
        #expect(harness.rowIDs(in: 45..<47) == [214, 213])
    }

    @Test func `An undecodable row in a full read does not end the results`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(60))
        harness.unreadableIDs = [1]
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(5..<15))

        #expect(harness.rowIDs(in: 8..<12) == [9, 10, 11, 12])
    }

    @Test func `An undecodable row hides no other and causes no endless reads`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(60))
        harness.unreadableIDs = [1]
        harness.send(.visibleRange(30..<35))
        try await harness.runUntilIdle(.open)
        for first in stride(from: 25, through: 0, by: -5) { try await harness.runUntilIdle(.visibleRange(first..<first + 5)) }

        #expect(harness.rowIDs(in: 0..<3) == [0, 2, 3])
        #expect(harness.pager.isUpToDate)
        #expect(harness.cursors.count <= 8)
    }

    @Test func `A failure preserves the rows and is retried on request`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(100))
        try await harness.runUntilIdle(.open)
        harness.send(.changed)
        harness.failOne(with: ReadFailure())
        try await harness.performOne()
        harness.send(.visibleRange(3..<9))

        #expect(harness.pager.failure is ReadFailure)
        #expect(harness.pending.isEmpty)
        #expect(harness.rowIDs(in: 0..<2) == [0, 1])
        try await harness.runUntilIdle(.retry)
        #expect(harness.pager.failure == nil)
        #expect(harness.pager.count == 100)
    }
}
