import LadingConformance
import LadingSQLite
import Testing
@testable import StoreFixtures

@Suite struct SQLiteRecordStoreConformanceTests {
    private static let conformance = RecordStoreConformance { use in
        let folder = try StoreFolder()
        let store = try SQLiteRecordStore<ConformanceRow>(at: folder.file)
        try await use(store)
        try store.close()
    }

    @Test(arguments: conformance.cases) func `The store on disk passes the conformance suite`(_ example: RecordStoreConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }
}
