import LadingTesting
import Testing

@Suite struct MemoryRecordStoreTests {
    private static let conformance = RecordStoreConformance { use in try await use(MemoryRecordStore<ConformanceRow>()) }

    @Test(arguments: conformance.cases) func `A store in memory keeps the contract`(_ example: RecordStoreConformance.Case) async throws {
        try await Self.conformance.check(example)
    }
}
