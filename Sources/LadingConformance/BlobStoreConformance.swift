public import LadingCaching
public import Testing

/// A suite that checks a blob store against the contract of `BlobStore`.
///
/// ```swift
/// @Suite struct MyBlobStoreTests {
///     private static let conformance = BlobStoreConformance { byteLimit, use in
///         try await use(MyBlobStore(byteLimit: byteLimit))
///     }
///
///     @Test(arguments: conformance.cases) func `The store conforms to the contract`(_ example: BlobStoreConformance.Case) async throws {
///         try await Self.conformance.check(example)
///     }
/// }
/// ```
///
/// A violation is recorded as an issue of the running test.
public struct BlobStoreConformance: Sendable {
    /// The size limit of a tested store for bodies, metadata and names, in bytes.
    public static let byteLimit = 4 << 20

    /// A requirement of a store, named by a sentence.
    public struct Case: Sendable, CustomTestStringConvertible {
        public let name: String
        let check: @Sendable (BlobTestContext) async throws -> Void

        public var testDescription: String { name }

        init(_ name: String, check: @escaping @Sendable (BlobTestContext) async throws -> Void) {
            self.name = name
            self.check = check
        }
    }

    private let withStore: @Sendable (_ byteLimit: Int, @Sendable (any BlobStore) async throws -> Void) async throws -> Void

    /// Creates a suite.
    ///
    /// - Parameter withStore: Calls its argument with a new, empty store that has a size limit in bytes, then closes the store.
    public init(
        withStore:
            nonisolated(nonsending) @escaping @Sendable (
                _ byteLimit: Int, nonisolated(nonsending) @Sendable (any BlobStore) async throws -> Void
            ) async throws -> Void
    ) {
        self.withStore = withStore
    }

    public var cases: [Case] { Case.writing + Case.replacing + Case.eviction + Case.randomized }

    /// Runs one case. Violations are recorded as issues at `sourceLocation`.
    ///
    /// - Throws: An error of `withStore`, or one that the case did not expect.
    public nonisolated(nonsending) func check(_ testCase: Case, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await withStore(Self.byteLimit) { store in
            try await testCase.check(BlobTestContext(store: store, sourceLocation: sourceLocation))
        }
    }
}

/// The context of a case: a store, and the source location of its issues.
struct BlobTestContext: Sendable {
    let store: any BlobStore
    let sourceLocation: SourceLocation

    /// Stores a body that is written in pieces.
    @discardableResult
    func write(_ key: BlobKey, _ pieces: [UInt8]..., metadata: [UInt8] = []) async throws -> Blob {
        let writer = try await store.write(key, metadata: metadata)
        for piece in pieces { try await writer.append(piece) }
        return try await writer.finish(metadata: nil)
    }

    /// Returns a body, read in pieces; nil when it does not exist.
    func bytes(of blob: Blob?, by count: Int = 50_000) async throws -> [UInt8]? {
        guard let blob else { return nil }
        return try await bytes(of: store.open(blob), by: count)
    }

    func bytes(of reader: (any BlobReader)?, by count: Int = 50_000) async throws -> [UInt8]? {
        guard let reader else { return nil }
        var bytes: [UInt8] = []
        while case let piece = try await reader.read(from: bytes.count, count: count), !piece.isEmpty { bytes += piece }
        return bytes
    }

    /// Returns the blob of a key as listed by its group.
    func blob(_ key: BlobKey) async throws -> Blob? {
        try await store.blobs(in: key.group).first { $0.key == key }
    }

    /// Returns an identifiable body.
    func body(_ number: Int, count: Int) -> [UInt8] { BlobGenerator.body(number, count: count) }

    func expectEqual<Value: Equatable>(_ actual: Value, _ expected: Value, _ comment: String = "") {
        #expect(actual == expected, Comment(rawValue: comment), sourceLocation: sourceLocation)
    }

    func expect(_ condition: Bool, _ comment: String) {
        #expect(condition, Comment(rawValue: comment), sourceLocation: sourceLocation)
    }

    /// Returns the `BlobStoreError` that a closure throws.
    func error(of body: () async throws -> Void) async throws -> BlobStoreError? {
        do { try await body() } catch let error as BlobStoreError { return error }
        return nil
    }
}
