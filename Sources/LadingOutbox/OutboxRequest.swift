import Digests
public import Foundation
import HTTPFieldValues
public import HTTPTypes
import LadingHTTP

/// A request in an `Outbox`, complete except for credentials, which interceptors add to each attempt.
public struct OutboxRequest: Hashable, Sendable {
    public var method: HTTPRequest.Method
    /// The absolute URL.
    public var url: URL
    public var headers: HTTPFields
    public var body: [UInt8]

    public init(method: HTTPRequest.Method = .put, url: URL, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A digest of the whole request, for comparison after the request itself was discarded.
    package var fingerprint: String {
        var hash = SHA256()
        let fields = headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        hash.update(data: Data(([method.rawValue, url.absoluteString] + fields).joined(separator: "\n").utf8))
        hash.update(data: [0])
        hash.update(data: body)
        return hash.finalize().hexString
    }

    /// The size of URL, header fields and body together, in bytes.
    var size: Int {
        let fields = headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        return url.absoluteString.utf8.count + fields + body.count
    }

    /// The name of a header field or URL part that contains a secret; nil when there is none.
    var secretName: String? {
        let secrets = SecretRedaction.standard
        if let field = headers.first(where: { secrets.fields.contains($0.name) }) { return field.name.rawName }
        return secrets.redacted(url.absoluteString) == url.absoluteString ? nil : "the URL"
    }

    func message(key: IdempotencyKey) -> RequestMessage {
        var message = RequestMessage(method: method, url: url, headers: headers, body: .bytes(body))
        message.headers[.idempotencyKey] = key.fieldValue
        message.preservesMethod = true
        return message
    }
}
