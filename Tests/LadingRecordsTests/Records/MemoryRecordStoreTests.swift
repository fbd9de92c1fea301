import LadingConformance
import LadingTesting
import Testing

@Suite struct MemoryRecordStoreTests {
    private static let conformance = RecordStoreConformance { use in try await use(MemoryRecordStore<ConformanceRow>()) }

    @Test(arguments: conformance.cases) func `The in-memory store passes the conformance suite`(_ example: RecordStoreConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }
}
