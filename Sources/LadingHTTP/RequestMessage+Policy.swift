import Foundation
import HTTPTypes
import LadingOperations

extension RequestMessage {
    /// Returns the key of a safe request without a body (RFC 9110 §9.2.1); nil for any other request.
    ///
    /// The targets of redirects depend on the trusted host, so it is part of the key unless it is the host of the URL.
    func key(partition: String) -> OperationKey? {
        guard method == .get || method == .head, body.isEmpty else { return nil }
        var variant = headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        let trusted = trust.trustedHost(for: url)
        if trusted != TrustedHost(of: url) { variant.append("trusting \(trusted?.name ?? "no host")") }
        if addressPolicy == .publicOnly { variant.append("public addresses only") }
        return .action(method.rawValue, on: url.absoluteString, partition: partition, variant: variant.joined(separator: "\n"))
    }

    /// The fields that describe a body, and are removed with it.
    private static let contentFields: [HTTPField.Name] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .contentDisposition,
    ]

    /// Returns the message that follows a redirect (RFC 9110 §15.4): 303 leads to GET without the body; another origin gets no credentials.
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

extension HTTPRequest.Method {
    /// Whether requests with this method change nothing (RFC 9110 §9.2.1).
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}
