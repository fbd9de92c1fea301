import Foundation
import LadingHTTP

/// The address of a bucket: `s3://BUCKET[/PREFIX][?endpoint=URL&region=NAME&style=path|virtual]`.
///
/// ```
/// s3://lading/proofs?region=eu-west-1
/// s3://lading?endpoint=http://127.0.0.1:9000
/// ```
///
/// Without an endpoint the bucket is in Amazon S3, at `https://BUCKET.s3.REGION.amazonaws.com`. For Amazon's regions under other domains give the
/// endpoint. An address contains no credentials.
package struct ObjectStoreAddress: Hashable, Sendable {
    /// The place of the bucket in a URL.
    package enum Style: String, Hashable, Sendable {
        /// The bucket is the beginning of the path: `https://HOST/BUCKET/KEY`.
        case path
        /// The bucket is the beginning of the host name: `https://BUCKET.HOST/KEY`.
        case virtual
    }

    /// The region of an address without one, which most other stores accept too.
    static let defaultRegion = "us-east-1"

    package let bucket: String
    /// The beginning of every key, with a slash at its end; empty for none.
    package let prefix: String
    package let region: String
    package let style: Style
    /// The server without the bucket.
    let endpoint: ObjectStoreEndpoint

    /// Parses an address.
    ///
    /// - Throws: `ObjectStoreError.invalidAddress`, whose text repeats no part of the address, because that may be a secret.
    package init(_ text: String) throws(ObjectStoreError) {
        let parts = try AddressParts(text)
        let endpoint = try parts.parameters["endpoint"].map { text throws(ObjectStoreError) in try ObjectStoreEndpoint(text) }
        bucket = parts.bucket
        prefix = parts.prefix
        region = parts.parameters["region"] ?? Self.defaultRegion
        guard Self.isRegion(region) else { throw .invalidAddress("the region must have letters, digits and hyphens only") }
        // The certificates of Amazon S3 cover names of one label before the host.
        let defaultStyle = endpoint == nil && !bucket.contains(".") ? Style.virtual : .path
        guard let style = parts.parameters["style"].map({ Style(rawValue: $0) }) ?? defaultStyle else {
            throw .invalidAddress("the style must be path or virtual")
        }
        self.style = style
        self.endpoint = endpoint ?? ObjectStoreEndpoint(s3Region: region)
        guard style == .path || self.endpoint.allowsBucketInHost(bucket) else {
            throw .invalidAddress("with style=virtual the endpoint must have a host name, and with https the bucket no dots")
        }
    }

    /// Whether a text may be the name of a region; stores other than Amazon S3 have names of their own.
    static func isRegion(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}

// MARK: - URLs

extension ObjectStoreAddress {
    /// The host and the port of requests, for errors.
    package var host: String { style == .path ? endpoint.authority : "\(bucket).\(endpoint.authority)" }

    /// The URL of the bucket without a slash at its end.
    private var base: String {
        let root = "\(endpoint.scheme)://\(host)\(endpoint.path)"
        return style == .path ? "\(root)/\(bucket)" : root
    }

    /// Returns the URL of an object.
    func url(ofKey key: ObjectKey) -> URL {
        Self.url(base + "/" + key.text.split(separator: "/").map { PercentEncoding.unreserved.encode(String($0)) }.joined(separator: "/"))
    }

    /// Returns the URL that lists at most one object (`ListObjectsV2`).
    var listURL: URL {
        let query = "list-type=2&max-keys=1" + (prefix.isEmpty ? "" : "&prefix=\(PercentEncoding.unreserved.encode(prefix))")
        return Self.url("\(base)\(style == .path ? "" : "/")?\(query)")
    }

    private static func url(_ text: String) -> URL {
        guard let url = URL(string: text) else { preconditionFailure("the parts of an address are valid in URLs") }
        return url
    }
}

extension ObjectStoreAddress: CustomStringConvertible {
    /// The bucket, the prefix and the server, for messages.
    package var description: String { "s3://\(bucket)\(prefix.isEmpty ? "" : "/\(prefix)") at \(endpoint.scheme)://\(endpoint.authority)" }
}
