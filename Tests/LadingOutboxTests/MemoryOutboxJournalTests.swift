import LadingConformance
import LadingTesting
import Testing

@Suite struct MemoryOutboxJournalTests {
    private static let conformance = OutboxJournalConformance { use in try await use(MemoryOutboxJournal()) }

    @Test(arguments: conformance.cases) func `A journal in memory passes the conformance suite`(_ example: OutboxJournalConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }
}
