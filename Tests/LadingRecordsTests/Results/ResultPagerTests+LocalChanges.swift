import LadingConformance
import LadingRecords
import LadingTesting
import Testing

/// Local changes of rows of the results.
extension ResultPagerTests {
    @Test func `A local change of a row out of memory causes neither a read nor a count`() async throws {
        var harness = try await ResultPagerHarness(heaviestFirst, rows: rows(500))
        try await harness.runUntilIdle(.open)

        try await harness.mark(3)

        #expect(harness.pending.isEmpty)
        #expect(harness.pager.isUpToDate)
        try await harness.runUntilIdle(.visibleRange(490..<500))
        #expect(harness.mark(at: 496) == 1)
    }

    @Test func `A local change of a row in memory reads only this row, which retains its position`() async throws {
        var harness = try await ResultPagerHarness(heaviestFirst, rows: rows(500))
        try await harness.runUntilIdle(.open)
        let position = harness.pager.record(at: 4)?.position

        try await harness.mark(495)

        #expect(harness.pendingRowReads == [[495]] && harness.pending.count == 1)
        #expect(!harness.pager.isUpToDate)
        try await harness.performOne()
        #expect(harness.mark(at: 4) == 1)
        #expect(harness.pager.record(at: 4)?.position == position)
        #expect(harness.pager.isUpToDate && harness.cursors == [.index(0)])
    }

    @Test func `A local change of a row that is being read is read after it`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(100))
        try await harness.runUntilIdle(.open)
        harness.send(.visibleRange(5..<15))
        try await harness.prepareOne()

        try await harness.mark(20)
        try await harness.mark(99)
        try await harness.performOne()

        #expect(harness.mark(at: 20) == nil && !harness.pager.isUpToDate)
        while !harness.pending.isEmpty { try await harness.performOne() }
        #expect(harness.mark(at: 20) == 1 && harness.pager.isUpToDate)
    }

    @Test func `A second local change while the first is read is read again`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(100))
        try await harness.runUntilIdle(.open)
        try await harness.mark(2)
        try await harness.prepareOne()

        try await harness.mark(2, with: 7)
        while !harness.pending.isEmpty { try await harness.performOne() }

        #expect(harness.mark(at: 2) == 7)
    }

    @Test func `A change of the list while local changes are read is read as well`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(100))
        try await harness.runUntilIdle(.open)
        try await harness.mark(2)

        try await harness.put(Array(rows(100).reversed()))
        try await harness.runUntilIdle(.changed)

        #expect(harness.rowIDs(in: 0..<3) == [99, 98, 97])
        #expect((0..<3).allSatisfy { harness.mark(at: $0) == nil })
    }

    @Test func `Local changes in memory are read although no row is in view`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(10))
        try await harness.runUntilIdle(.open)
        try await harness.runUntilIdle(.visibleRange(900..<910))

        try await harness.mark(2)
        while !harness.pending.isEmpty { try await harness.performOne() }

        #expect(harness.mark(at: 2) == 1)
    }

    @Test func `A local change after a failure reads everything again`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(100))
        try await harness.runUntilIdle(.open)
        harness.send(.changed)
        harness.failOne(with: ReadFailure())
        try await harness.performOne()

        try await harness.mark(99)
        #expect(harness.pager.failure == nil && harness.pending.count == 2)
        while !harness.pending.isEmpty { try await harness.performOne() }

        #expect(harness.pager.isUpToDate)
    }

    @Test func `Too many local changes during a read cause another read of all rows`() async throws {
        var harness = try await ResultPagerHarness(rows: rows(100))
        try await harness.runUntilIdle(.open)
        harness.send(.visibleRange(5..<15))

        harness.send(.localChanges(Set(1_000..<1_400)))
        harness.send(.localChanges(Set(2_000..<2_400)))
        while !harness.pending.isEmpty { try await harness.performOne() }

        #expect(harness.cursors.count == 3 && harness.cursors.last == .index(0))
    }
}
