import Foundation
import HTTPTypes
import LadingOperations

extension RequestMessage {
    /// The key of a safe request (RFC 9110 §9.2.1); nil for one whose repetition might matter.
    ///
    /// What a redirect may lead to depends on who is trusted, so the trusted host belongs to the key unless it is the one asked.
    func key(partition: String) -> OperationKey? {
        guard method == .get || method == .head, body.isEmpty else { return nil }
        var variant = headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        let trusted = trust.trustedHost(for: url)
        if trusted != TrustedHost(of: url) { variant.append("trusting \(trusted?.name ?? "nobody")") }
        if addressPolicy == .publicOnly { variant.append("public addresses only") }
        return OperationKey(
            partition: partition, verb: method.rawValue, subject: url.absoluteString, variant: variant.joined(separator: "\n"))
    }

    /// What says something of a body, and goes with it.
    private static let contentFields: [HTTPField.Name] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .contentDisposition,
    ]

    /// The message that follows a redirect (RFC 9110 §15.4): 303 asks with GET and without the body; credentials stay with their host.
    func redirected(to target: URL, status: HTTPResponse.Status) -> RequestMessage {
        var next = self
        next.url = target
        let isRewritten = status == .seeOther || (method == .post && (status == .found || status == .movedPermanently))
        if isRewritten, method != .head {
            next.method = .get
            next.body = []
            for name in Self.contentFields { next.headers[name] = nil }
        }
        if target.authority != url.authority || target.scheme != url.scheme {
            for name in HTTPField.Name.credentials { next.headers[name] = nil }
        }
        return next
    }
}
