import Foundation
import HTTPFieldValues
import HTTPTypes

/// A request as evaluated by a cache.
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

    /// Whether the method allows a stored response.
    var isGetOrHead: Bool { method == .get || method == .head }

    /// The requested range; nil for the complete representation.
    var range: ByteRange? { method == .get ? headers[.range].flatMap { ByteRange($0) } : nil }

    /// Whether the request has preconditions that only the origin can evaluate (RFC 9111 §4.3.2).
    var hasPreconditions: Bool { headers.contains(.ifMatch) || headers.contains(.ifUnmodifiedSince) }

    /// Returns whether a 304 with this entity tag may refer to a representation of the client.
    func hasClientTag(_ tag: String?) -> Bool {
        guard let tag else { return false }
        return EntityTag(tag).matches(anyIn: headers.entityTags(in: .ifNoneMatch))
    }

    /// Whether only a validated response may be served. `Pragma` counts without `Cache-Control` (RFC 9111 §5.4).
    var requiresValidation: Bool {
        control.has("no-cache") || (control.isEmpty && headers[.pragma]?.lowercased() == "no-cache")
    }

    /// Returns whether the conditions of the request find a response not modified (RFC 9111 §4.3.2).
    func isNotModified(_ response: StoredResponse) -> Bool {
        if headers.contains(.ifNoneMatch) {
            let known = headers.entityTags(in: .ifNoneMatch)
            return response.entityTag?.matches(anyIn: known) ?? (known == [.any])
        }
        // Several dates are ignored (RFC 9110 §13.1.3).
        let since = headers[.ifModifiedSince].flatMap { HTTPDate($0, near: response.responseTime)?.date }
        guard let since else { return false }
        return (response.headers.date(.lastModified, near: response.responseTime) ?? response.date) <= since
    }

    /// Returns whether `If-Range` allows a partial response (RFC 9110 §13.1.5).
    func ifRangeMatches(_ response: StoredResponse) -> Bool {
        guard let condition = headers[.ifRange] else { return true }
        if condition.hasPrefix("\"") || condition.hasPrefix("W/") {
            return !response.isDecoded && response.entityTag?.isStrongMatch(EntityTag(condition)) == true
        }
        guard let date = HTTPDate(condition, near: response.responseTime)?.date,
            let changed = response.headers.date(.lastModified, near: response.responseTime)
        else { return false }
        // There may be two changes in one second (RFC 9110 §8.8.2.2).
        return date == changed && response.date.timeIntervalSince(changed) >= 1
    }
}

extension HTTPField.Name {
    fileprivate static let pragma = Self("Pragma")!
}
