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
    ///
    /// - Returns: The message; nil when the redirect itself is the response, because `preservesMethod` rules it out.
    func redirected(to target: URL, status: HTTPResponse.Status) -> RequestMessage? {
        let leadsToGet = method == .post && (status == .found || status == .movedPermanently)
        let isTemporary = status == .found && method != .get && method != .head
        guard !preservesMethod || !(leadsToGet || isTemporary) || target.canReplace(url) else { return nil }
        var next = self
        next.url = target
        let isRewritten = status == .seeOther || (leadsToGet && !preservesMethod)
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

extension URL {
    /// Returns whether a write to another URL may be sent here: path and query are the same, and https does not become http.
    fileprivate func canReplace(_ other: URL) -> Bool {
        let isDowngrade = other.scheme?.lowercased() == "https" && scheme?.lowercased() != "https"
        // An empty path is `/` (RFC 9110 §4.2.3).
        let paths = [self, other].map { $0.path(percentEncoded: true) }.map { $0.isEmpty ? "/" : $0 }
        return !isDowngrade && paths[0] == paths[1] && query(percentEncoded: true) == other.query(percentEncoded: true)
    }
}

extension HTTPRequest.Method {
    /// Whether requests with this method change nothing (RFC 9110 §9.2.1).
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}
