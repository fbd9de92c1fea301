public import LadingRecords
public import Testing

/// A suite that checks a record store against the contract of `RecordStore`.
///
/// ```swift
/// @Suite struct MyRecordStoreTests {
///     private static let conformance = RecordStoreConformance { use in
///         try await use(MyRecordStore<ConformanceRow>())
///     }
///
///     @Test(arguments: conformance.cases) func `The store conforms to the contract`(_ example: RecordStoreConformance.Case) async throws {
///         try await Self.conformance.check(example)
///     }
/// }
/// ```
///
/// A violation is recorded as an issue of the running test.
public struct RecordStoreConformance: Sendable {
    public typealias Store = any RecordStore<ConformanceRow>

    /// A requirement of a store, named by a sentence.
    public struct Case: Sendable, CustomTestStringConvertible {
        public let name: String
        let check: @Sendable (RecordTestContext) async throws -> Void

        public var testDescription: String { name }

        init(_ name: String, check: @escaping @Sendable (RecordTestContext) async throws -> Void) {
            self.name = name
            self.check = check
        }
    }

    private let withStore: @Sendable (@Sendable (Store) async throws -> Void) async throws -> Void

    /// Creates a suite.
    ///
    /// - Parameter withStore: Calls its argument with a new, empty store, then closes the store.
    public init(
        withStore:
            nonisolated(nonsending) @escaping @Sendable (nonisolated(nonsending) @Sendable (Store) async throws -> Void) async throws ->
            Void
    ) {
        self.withStore = withStore
    }

    public var cases: [Case] { Case.paging + Case.refreshing + Case.reading + Case.keyed + Case.observation + Case.randomized }

    /// Runs one case. Violations are recorded as issues at `sourceLocation`.
    ///
    /// - Throws: An error of `withStore`, or one that the case did not expect.
    public nonisolated(nonsending) func check(_ testCase: Case, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await withStore { store in
            try await testCase.check(RecordTestContext(store: store, sourceLocation: sourceLocation))
        }
    }
}

/// The context of a case: a store, and the source location of its issues.
struct RecordTestContext: Sendable {
    let store: RecordStoreConformance.Store
    let sourceLocation: SourceLocation

    /// Stores rows with these ids, whose titles consist of `title` and the id.
    @discardableResult
    func store(
        _ ids: some Sequence<Int>, at start: Int, generation: Int = 1, title: String = "", next: PageKey? = nil, isEnd: Bool = false
    ) async throws -> WriteResult {
        try await store.store(
            RecordPage(ids.map { ConformanceRow($0, "\(title) \($0)") }, at: start, generation: generation, next: next, isEnd: isEnd))
    }

    func ids(_ query: RecordQuery = RecordQuery(), from start: ResultCursor = .first, limit: Int = 1_000) async throws -> [Int] {
        try await store.records(query, from: start, limit: limit).rows.map(\.id)
    }

    func expectEqual<Value: Equatable>(_ actual: Value, _ expected: Value, _ comment: String = "") {
        #expect(actual == expected, Comment(rawValue: comment), sourceLocation: sourceLocation)
    }
}
