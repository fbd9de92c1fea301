import Crypto
import Digests
import Foundation
import HTTPTypes
import LadingHTTP

/// The texts of AWS Signature Version 4 for a request: a canonical form of the request, and the text that is signed.
///
/// Source: Amazon S3, API Reference, "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk (AWS Signature
/// Version 4)".
struct RequestSignature {
    static let algorithm = "AWS4-HMAC-SHA256"

    let canonicalRequest: String
    let stringToSign: String
    /// The names of the signed fields, separated by semicolons.
    let signedFields: String
    /// The day, the region and the service for which a key is derived.
    let scope: String
    private let scopeParts: [String]

    /// - Parameters:
    ///   - message: A request whose URL is percent-encoded as `PercentEncoding.unreserved` does. All of its fields are signed.
    ///   - contentDigest: The value of `x-amz-content-sha256`.
    ///   - time: The value of `x-amz-date`.
    init(of message: RequestMessage, contentDigest: String, time: String, region: String) {
        let fields = Self.canonicalFields(of: message)
        signedFields = fields.map(\.name).joined(separator: ";")
        let path = message.url.path(percentEncoded: true)
        canonicalRequest = [
            message.method.rawValue, path.isEmpty ? "/" : path, Self.canonicalQuery(of: message.url),
            fields.map { "\($0.name):\($0.value)\n" }.joined(), signedFields, contentDigest,
        ].joined(separator: "\n")
        scopeParts = [String(time.prefix(8)), region, "s3", "aws4_request"]
        scope = scopeParts.joined(separator: "/")
        stringToSign = [Self.algorithm, time, scope, Crypto.SHA256.hash(data: Data(canonicalRequest.utf8)).hexString]
            .joined(separator: "\n")
    }

    /// Returns the signature with a key that is derived from a secret key for the scope.
    func value(secret: String) -> String {
        let key = scopeParts.reduce(Array("AWS4\(secret)".utf8)) { Self.code(of: $1, key: $0) }
        return Self.code(of: stringToSign, key: key).hexString
    }

    private static func code(of text: String, key: [UInt8]) -> [UInt8] {
        Array(HMAC<Crypto.SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
    }

    /// Returns the parameters sorted by name and value, each with an equals sign.
    private static func canonicalQuery(of url: URL) -> String {
        let parameters = (url.query(percentEncoded: true) ?? "").split(separator: "&").map { parameter in
            let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
        }
        return parameters.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// Returns the host and the fields with names in lower case and single spaces, sorted by name.
    private static func canonicalFields(of message: RequestMessage) -> [(name: String, value: String)] {
        var values = ["host": [message.url.hostField ?? ""]]
        for field in message.headers {
            values[field.name.canonicalName, default: []].append(field.value.split(separator: " ").joined(separator: " "))
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ",")) }
    }
}
