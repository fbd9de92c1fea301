import Foundation

/// The expected digest of a file, independent of its server.
///
/// ```swift
/// let digest = FileDigest(sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// try await transfers.download(url, to: file, digest: digest)
/// ```
public struct FileDigest: Hashable, Sendable {
    /// The name of the algorithm as registered for HTTP (RFC 9530 §7.2): `sha-256`, `sha-512`.
    public let algorithm: String
    public let bytes: [UInt8]

    public init(algorithm: String, bytes: [UInt8]) {
        self.algorithm = algorithm.lowercased()
        self.bytes = bytes
    }

    /// Creates a SHA-256 digest from 64 hexadecimal digits, as `sha256sum` prints it; nil for any other text.
    public init?(sha256 text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 64,
            digits.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") || "abcdefABCDEF".utf8.contains($0) })
        else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        self.init(algorithm: "sha-256", bytes: bytes)
    }

    /// The digest as a member of `Repr-Digest` (RFC 9530 §3) and in journals.
    public var text: String { "\(algorithm)=:\(Data(bytes).base64EncodedString()):" }

    /// Creates a digest from its `text`; nil for any other text.
    public init?(text: String) {
        guard let (algorithm, bytes) = ContentDigest.values(in: text).first else { return nil }
        self.init(algorithm: algorithm, bytes: bytes)
    }
}
