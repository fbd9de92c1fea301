public import LadingOutbox
public import Testing

/// A suite that checks a journal of an outbox against the contract of `OutboxJournal`.
///
/// ```swift
/// @Suite struct MyOutboxJournalTests {
///     private static let conformance = OutboxJournalConformance { use in
///         try await use(MyOutboxJournal())
///     }
///
///     @Test(arguments: conformance.cases) func `The journal conforms to the contract`(_ example: OutboxJournalConformance.Case) async throws {
///         try await Self.conformance.check(example)
///     }
/// }
/// ```
///
/// A violation is recorded as an issue of the running test.
public struct OutboxJournalConformance: Sendable {
    /// A requirement of a journal, named by a sentence.
    public struct Case: Sendable, CustomTestStringConvertible {
        public let name: String
        let check: @Sendable (OutboxTestContext) async throws -> Void

        public var testDescription: String { name }

        init(_ name: String, check: @escaping @Sendable (OutboxTestContext) async throws -> Void) {
            self.name = name
            self.check = check
        }
    }

    private let withJournal: @Sendable (@Sendable (any OutboxJournal) async throws -> Void) async throws -> Void

    /// Creates a suite.
    ///
    /// - Parameter withJournal: Calls its argument with a new, empty journal, then closes the journal.
    public init(
        withJournal:
            nonisolated(nonsending) @escaping @Sendable (nonisolated(nonsending) @Sendable (any OutboxJournal) async throws -> Void)
            async throws -> Void
    ) {
        self.withJournal = withJournal
    }

    public var cases: [Case] { Case.all }

    /// Runs one case. Violations are recorded as issues at `sourceLocation`.
    ///
    /// - Throws: An error of `withJournal`, or one that the case did not expect.
    public nonisolated(nonsending) func check(_ testCase: Case, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await withJournal { journal in
            try await testCase.check(OutboxTestContext(journal: journal, sourceLocation: sourceLocation))
        }
    }
}
