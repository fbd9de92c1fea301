import Foundation
import HTTPTypes

/// A request as a cache sees it.
struct CacheQuery {
    let method: HTTPRequest.Method
    let url: URL
    let headers: HTTPFields
    let control: CacheControl

    init(method: HTTPRequest.Method, url: URL, headers: HTTPFields) {
        self.method = method
        self.url = url
        self.headers = headers
        control = CacheControl(headers)
    }

    /// Whether what is kept may answer it at all.
    var isGetOrHead: Bool { method == .get || method == .head }

    /// The part that is asked for; nil for all of it.
    var range: ByteRange? { method == .get ? headers[.range].flatMap { ByteRange($0) } : nil }

    /// What only the origin can judge (RFC 9111 §4.3.2).
    var hasPreconditions: Bool { headers.contains(.ifMatch) || headers.contains(.ifUnmodifiedSince) }

    /// Whether a reply that is not modified may be the one that the client has.
    func hasClientTag(_ tag: String?) -> Bool {
        guard let tag else { return false }
        return headers.members(of: .ifNoneMatch).contains { $0 == "*" || EntityTag($0).matchesWeakly(EntityTag(tag)) }
    }

    /// Whether only what the origin has confirmed will do. `Pragma` is asked where there is no `Cache-Control` (RFC 9111 §5.4).
    var requiresValidation: Bool {
        control.has("no-cache") || (control.isEmpty && headers[.pragma]?.lowercased() == "no-cache")
    }

    /// Whether a reply is not modified, as far as the conditions of the request know it (RFC 9111 §4.3.2).
    func isNotModified(_ reply: StoredResponse) -> Bool {
        if headers.contains(.ifNoneMatch) {
            let known = headers.members(of: .ifNoneMatch)
            return known.contains { $0 == "*" || reply.entityTag?.matchesWeakly(EntityTag($0)) == true }
        }
        guard let since = headers.date(.ifModifiedSince, near: reply.responseTime) else { return false }
        return (reply.headers.date(.lastModified, near: reply.responseTime) ?? reply.date) <= since
    }

    /// Whether a part will do, as far as `If-Range` says (RFC 9110 §13.1.5).
    func ifRangeMatches(_ reply: StoredResponse) -> Bool {
        guard let condition = headers[.ifRange] else { return true }
        if condition.hasPrefix("\"") || condition.hasPrefix("W/") {
            return reply.entityTag?.matchesStrongly(EntityTag(condition)) == true
        }
        guard let date = HTTPDate(condition, near: reply.responseTime)?.date,
            let changed = reply.headers.date(.lastModified, near: reply.responseTime)
        else { return false }
        // A second may have seen two changes (RFC 9110 §8.8.2.2).
        return date == changed && reply.date.timeIntervalSince(changed) >= 1
    }
}

extension HTTPField.Name {
    fileprivate static let pragma = Self("Pragma")!
}
