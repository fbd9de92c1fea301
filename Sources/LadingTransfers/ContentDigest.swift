import Digests
import FileAccess
import Foundation

/// A digest algorithm for the content of files.
///
/// ```swift
/// ContentDigest("sha") {
///     var hash = Insecure.SHA1()
///     return .init(update: { hash.update(data: $0) }, finish: { Array(hash.finalize()) })
/// }
/// ```
public struct ContentDigest: Sendable {
    /// A digest computation in progress.
    public struct RunningDigest {
        /// Adds bytes to the digest.
        let update: ([UInt8]) -> Void
        let finish: () -> [UInt8]

        /// Creates a computation.
        ///
        /// - Parameters:
        ///   - update: Adds bytes to the digest; called with the parts of the content in order.
        ///   - finish: Returns the bytes of the digest; called once, after the last part.
        public init(update: @escaping ([UInt8]) -> Void, finish: @escaping () -> [UInt8]) {
            self.update = update
            self.finish = finish
        }
    }

    /// The name as registered for HTTP (RFC 9530 §7.2): `sha-256`, `sha-512`.
    let name: String
    let makeRunningDigest: @Sendable () -> RunningDigest

    /// Creates an algorithm.
    ///
    /// - Parameter name: The name as registered for HTTP (RFC 9530 §7.2), in any case.
    public init(_ name: String, makeRunningDigest: @escaping @Sendable () -> RunningDigest) {
        self.name = name.lowercased()
        self.makeRunningDigest = makeRunningDigest
    }
}

extension ContentDigest {
    public static let sha256 = ContentDigest("sha-256") { .hashing(SHA256()) }
    public static let sha512 = ContentDigest("sha-512") { .hashing(SHA512()) }

    /// Returns the digests in a `Repr-Digest` or `Content-Digest` field by name; values are enclosed in colons (RFC 9530 §2, RFC 8941 §3.2).
    static func values(in field: String) -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        for member in field.split(separator: ",") {
            let sides = member.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " || $0 == "\t" } }
            guard sides.count == 2, sides[1].first == ":", let end = sides[1].dropFirst().firstIndex(of: ":") else { continue }
            let text = String(sides[1][sides[1].index(after: sides[1].startIndex)..<end])
            if let data = Data(base64Encoded: text) { values[sides[0].lowercased()] = Array(data) }
        }
        return values
    }

    /// Returns whether a range of a file has the digest in each of some fields; true for a field that contains none of these algorithms.
    ///
    /// The file is read once for all fields.
    ///
    /// - Parameter checkCancellation: Called before each chunk; its error ends the computation.
    /// - Throws: `POSIXError` when the file cannot be read, and the error of `checkCancellation`.
    static func matches(
        _ fields: [String], file: RandomAccessFile, in range: Range<Int>, using digests: [ContentDigest],
        checkCancellation: () throws -> Void
    ) throws -> [Bool] {
        let expected = fields.map { firstSupported(in: $0, of: digests) }
        var computations: [String: RunningDigest] = [:]
        for case let (digest, _)? in expected where computations[digest.name] == nil {
            computations[digest.name] = digest.makeRunningDigest()
        }
        guard !computations.isEmpty else { return fields.map { _ in true } }
        try file.read(range) { chunk in
            try checkCancellation()
            for computation in computations.values { computation.update(chunk) }
        }
        let found = computations.mapValues { $0.finish() }
        return expected.map { pair in pair.map { found[$0.digest.name] == $0.value } ?? true }
    }

    /// Returns the first of some algorithms that a field contains, and its digest there; nil when it contains none.
    private static func firstSupported(in field: String, of digests: [ContentDigest]) -> (digest: ContentDigest, value: [UInt8])? {
        let values = values(in: field)
        guard let digest = digests.first(where: { values[$0.name] != nil }), let value = values[digest.name] else { return nil }
        return (digest, value)
    }
}

extension ContentDigest.RunningDigest {
    fileprivate static func hashing(_ function: some DigestFunction) -> ContentDigest.RunningDigest {
        var function = function
        return .init(update: { function.update(data: $0) }, finish: { function.finalize() })
    }
}
