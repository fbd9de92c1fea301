import LadingCaching
import LadingConformance
import Testing

@Suite struct MemoryBlobStoreTests {
    private static let conformance = BlobStoreConformance { byteLimit, use in
        try await use(MemoryBlobStore(byteLimit: byteLimit))
    }

    @Test(arguments: conformance.cases) func `The in-memory store passes the conformance suite`(_ example: BlobStoreConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }
}
