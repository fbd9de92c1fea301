public import LadingCaching
public import Testing

/// Checks a store of bodies against the contract of `BlobStore`, case by case.
///
/// ```swift
/// @Suite struct MyBlobStoreTests {
///     private static let conformance = BlobStoreConformance { byteLimit, use in
///         try await use(MyBlobStore(byteLimit: byteLimit))
///     }
///
///     @Test(arguments: conformance.cases) func `It keeps the contract`(_ example: BlobStoreConformance.Case) async throws {
///         try await Self.conformance.check(example)
///     }
/// }
/// ```
///
/// What a case finds wrong is recorded as an issue of the test that runs it.
public struct BlobStoreConformance: Sendable {
    /// What bodies, notes and names may take together in a store that is checked, in bytes.
    public static let byteLimit = 4 << 20

    /// One thing that a store must do, told in a sentence.
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

    /// - Parameter withStore: Makes an empty store with a bound in bytes, hands it on, and takes it down.
    public init(
        withStore:
            nonisolated(nonsending) @escaping @Sendable (
                _ byteLimit: Int, nonisolated(nonsending) @Sendable (any BlobStore) async throws -> Void
            ) async throws -> Void
    ) {
        self.withStore = withStore
    }

    public var cases: [Case] { Case.writing + Case.replacing + Case.eviction + Case.randomized }

    /// Runs one case.
    public nonisolated(nonsending) func check(_ testCase: Case, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await withStore(Self.byteLimit) { store in
            try await testCase.check(BlobTestContext(store: store, sourceLocation: sourceLocation))
        }
    }
}

/// What a case has at hand: a store, and the place where what it finds is reported.
struct BlobTestContext: Sendable {
    let store: any BlobStore
    let sourceLocation: SourceLocation

    /// Keeps a body that is given in pieces.
    @discardableResult
    func write(_ key: BlobKey, _ pieces: [UInt8]..., metadata: [UInt8] = []) async throws -> Blob {
        let writer = try await store.write(key, metadata: metadata)
        for piece in pieces { try await writer.append(piece) }
        return try await writer.finish(metadata: nil)
    }

    /// All of a body, read in pieces; nil when it is not there.
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

    /// What is kept under a key, as the group tells.
    func blob(_ key: BlobKey) async throws -> Blob? {
        try await store.blobs(in: key.group).first { $0.key == key }
    }

    /// Bytes that tell what they were made of.
    func body(_ number: Int, count: Int) -> [UInt8] { BlobGenerator.body(number, count: count) }

    func expectEqual<Value: Equatable>(_ actual: Value, _ expected: Value, _ comment: String = "") {
        #expect(actual == expected, Comment(rawValue: comment), sourceLocation: sourceLocation)
    }

    func expect(_ condition: Bool, _ comment: String) {
        #expect(condition, Comment(rawValue: comment), sourceLocation: sourceLocation)
    }

    /// The error of a store that something throws.
    func error(of body: () async throws -> Void) async throws -> BlobStoreError? {
        do { try await body() } catch let error as BlobStoreError { return error }
        return nil
    }
}
