import Foundation
import LadingConformance
import LadingRecords
import LadingTesting
import Testing

@Suite struct MemoryRecordStoreTests {
    private static let conformance = RecordStoreConformance { use in try await use(MemoryRecordStore<ConformanceRow>()) }

    @Test(arguments: conformance.cases) func `The in-memory store passes the conformance suite`(_ example: RecordStoreConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }

    @Test func `A local change is reported as such`() async throws {
        let store = MemoryRecordStore<ConformanceRow>()
        let reader = store.changes().makeAsyncIterator()

        try await store.setLocalChange(Data(), named: "mark", of: 1)

        #expect(await reader.next()?.hasOnlyLocalChanges == true)
    }
}
