public import LadingFeeds
public import Testing

/// Checks a store of records against the contract of `RecordStore`, case by case.
///
/// ```swift
/// @Suite struct MyRecordStoreTests {
///     private static let conformance = RecordStoreConformance { use in
///         try await use(MyRecordStore<ConformanceRow>())
///     }
///
///     @Test(arguments: conformance.cases) func `It keeps the contract`(_ example: RecordStoreConformance.Case) async throws {
///         try await Self.conformance.check(example)
///     }
/// }
/// ```
///
/// What a case finds wrong is recorded as an issue of the test that runs it.
public struct RecordStoreConformance: Sendable {
    public typealias Store = any RecordStore<ConformanceRow>

    /// One thing that a store must do, told in a sentence.
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

    /// - Parameter withStore: Makes an empty store, hands it on, and takes it down.
    public init(
        withStore:
            nonisolated(nonsending) @escaping @Sendable (nonisolated(nonsending) @Sendable (Store) async throws -> Void) async throws ->
            Void
    ) {
        self.withStore = withStore
    }

    public var cases: [Case] { Case.paging + Case.refreshing + Case.reading + Case.keyed + Case.observation + Case.randomized }

    /// Runs one case.
    public nonisolated(nonsending) func check(_ testCase: Case, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await withStore { store in
            try await testCase.check(RecordTestContext(store: store, sourceLocation: sourceLocation))
        }
    }
}

/// What a case has at hand: a store, and the place where what it finds is reported.
struct RecordTestContext: Sendable {
    let store: RecordStoreConformance.Store
    let sourceLocation: SourceLocation

    /// Stores rows of these identities, titled by page and identity.
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
