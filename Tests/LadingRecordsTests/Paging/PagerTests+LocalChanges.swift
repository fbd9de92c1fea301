import Foundation
import LadingConformance
import LadingRecords
import LadingTesting
import Testing

/// Local changes of rows of a list.
extension PagerTests {
    @Test func `Local changes are read only for rows in memory`() async throws {
        var harness = PagerStoreHarness()
        _ = try await harness.store.store(RecordPage((0..<999).map { ConformanceRow($0) }, at: 0, generation: 1, isEnd: true))
        try await harness.open()
        let (readCount, updateCount) = (harness.readCount, harness.updateCount)

        try await harness.send(.localChanges([400, 998]))
        #expect(harness.readCount == readCount && harness.updateCount == updateCount)

        try await harness.store.setLocalChange(Data([1]), named: "mark", of: 3)
        try await harness.send(.localChanges([3, 400]))
        #expect(harness.readCount == readCount + 1)
        #expect(harness.pager.records[3].localChanges == ["mark": Data([1])])
    }

    @Test func `Local changes during a read are read after it`() {
        var pager = Pager<ConformanceRow>(paging: OffsetPaging(pageLength: 20))
        let range = LoadedRange(places: 0..<20, generation: 1, isEnd: true)
        var effects: [Pager<ConformanceRow>.Effect] = []
        pager.handle(.opened([range]), effects: &effects)
        #expect(effects == [.read(1, 0..<20)])

        pager.handle(.localChanges([7]), effects: &effects)
        pager.handle(.read(1, []), effects: &effects)

        #expect(effects == [.read(1, 0..<20), .update, .read(2, 0..<20)])
    }

    @Test func `A local change repeats a failed read`() async throws {
        var harness = PagerStoreHarness()
        _ = try await harness.store.store(RecordPage((0..<20).map { ConformanceRow($0) }, at: 0, generation: 1, isEnd: true))
        harness.failsReads = true
        try await harness.open()
        harness.failsReads = false

        try await harness.send(.localChanges([999]))

        #expect(harness.pager.readFailure == nil)
        #expect(harness.slots(0..<1) == [0])
    }
}
