import Foundation
import LadingHTTP

/// The server of an object store: its scheme, host, port, and the path before the bucket.
struct ObjectStoreEndpoint: Hashable, Sendable {
    let scheme: String
    /// The host and the port, without the default port of the scheme, as in the field `Host`.
    let authority: String
    /// The percent-encoded path without a slash at its end; usually empty.
    let path: String
    /// Whether the host is a name, not an address.
    private let hasName: Bool

    /// Creates the endpoint of Amazon S3 in a region.
    init(s3Region region: String) {
        (scheme, authority, path, hasName) = ("https", "s3.\(region.lowercased()).amazonaws.com", "", true)
    }

    init(_ text: String) throws(ObjectStoreError) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: false), Self.isHost(host), let authority = url.hostField,
            (1...65_535).contains(url.port ?? 1)
        else { throw .invalidAddress("the endpoint must be an http or https URL such as https://objects.example.org") }
        guard url.user == nil, url.password == nil, !text.contains("@") else { throw .credentialsInAddress }
        guard url.query == nil, url.fragment == nil else { throw .invalidAddress("the endpoint must have neither a query nor a fragment") }
        (self.scheme, self.authority) = (scheme, authority)
        path = url.path(percentEncoded: false).split(separator: "/").map { "/" + PercentEncoding.unreserved.encode(String($0)) }.joined()
        hasName = IPAddress(host) == nil
    }

    private static func isHost(_ text: String) -> Bool {
        IPAddress(text) != nil || (!text.isEmpty && text.utf8.allSatisfy { $0.isLetterOrDigit || "-._".utf8.contains($0) })
    }

    /// Whether the name of a bucket may precede the host: a certificate covers names with one more label.
    func allowsBucketInHost(_ bucket: String) -> Bool { hasName && (scheme == "http" || !bucket.contains(".")) }
}

extension URL {
    /// The value of the field `Host` in a request for the URL (RFC 9110 §7.2); nil without a host.
    var hostField: String? { authority }
}
