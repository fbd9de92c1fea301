import Foundation
import HTTPFieldValues
package import HTTPTypes

// Storing responses, and their invalidation by other requests (RFC 9111 §3, §4.3.5, §4.4).
extension CachePolicy {
    /// Returns the stored form of a response; nil when it must not be stored.
    func storedResponse(_ head: ResponseHead, _ query: CacheQuery, _ requestTime: Date, _ now: Date) -> StoredResponse? {
        guard mayStore(head, query), let variant = Variant(of: head.headers, to: query.headers) else { return nil }
        var headers = head.headers.storedFields(for: role)
        if headers.date(.date, near: now) == nil { headers[.date] = now.httpDate }
        let isDecoded = isDecoded && head.contentCoding != nil
        if isDecoded { headers.removeCodingFields() }
        var response = StoredResponse(
            status: head.status.code, headers: headers, requestTime: requestTime, responseTime: now, variant: variant,
            isDecoded: isDecoded)
        if head.status.code == 206 {
            guard let range = head.headers[.contentRange].flatMap({ ContentRange($0) }), case .bytes(let bytes, let total) = range,
                !isDecoded
            else { return nil }
            response.part = StoredResponse.Part(first: bytes.lowerBound, total: total)
            response.length = bytes.count
        }
        return canReuse(response, query) ? response : nil
    }

    /// Returns whether a response may be stored (§3).
    func mayStore(_ head: ResponseHead, _ query: CacheQuery) -> Bool {
        let control = role.control(of: head.headers)
        let status = head.status.code
        guard query.method == .get || isCacheablePOST(head, query), StatusRules.allowsStoring(status) else { return false }
        return allowsStoring(status, control) && allowsStoringResponse(to: query, as: control)
    }

    /// Returns whether a stored response may remain stored.
    func allowsRetaining(_ response: StoredResponse) -> Bool { allowsStoring(response.status, response.control(for: role)) }

    /// Returns whether a response allows being stored (§5.2.2.3, §5.2.2.5, §5.2.2.7).
    private func allowsStoring(_ status: Int, _ control: CacheControl) -> Bool {
        if control.has("must-understand") {
            guard StatusRules.isSupported(status) else { return false }
        } else if control.has("no-store") {
            return false
        }
        return !(role.isShared && control.hasUnqualified("private"))
    }

    /// Returns whether a request allows its response to be stored (§3.5, §5.2.1.5).
    func allowsStoringResponse(to query: CacheQuery, as control: CacheControl) -> Bool {
        guard !query.control.has("no-store") else { return false }
        return !role.isShared || !query.headers.contains(.authorization) || control.has("public") || control.has("must-revalidate")
            || control.has("s-maxage")
    }

    /// Returns whether the response to a POST is that of a GET of the same URL (RFC 9110 §9.3.3).
    private func isCacheablePOST(_ head: ResponseHead, _ query: CacheQuery) -> Bool {
        guard query.method == .post, head.status.code == 200, let location = head.headers[.contentLocation] else { return false }
        return URL(string: location, relativeTo: query.url)?.absoluteURL == query.url.absoluteURL
    }

    /// Returns whether a response can be reused, with or without validation.
    func canReuse(_ response: StoredResponse, _ query: CacheQuery) -> Bool {
        if let lifetime = Freshness.explicitLifetime(of: response, in: role) ?? Freshness.defaultLifetime(of: response, in: role) {
            // An error that is never fresh would only replace a good response, which can be served while the origin is unreachable.
            return lifetime > 0 || response.status < 400 || StatusRules.allowsHeuristicFreshness(response.status)
        }
        guard query.method == .get, StatusRules.allowsHeuristicFreshness(response.status) || response.control(for: role).has("public")
        else {
            return false
        }
        // Without an explicit lifetime a cookie is not for other clients.
        if role.isShared, response.headers.contains(.setCookie) { return false }
        return response.headers.contains(.eTag) || response.headers.contains(.lastModified)
    }

    // MARK: Invalidation

    /// Returns the URLs whose stored responses a response invalidates (§4.4).
    func invalidatedURLs(by head: ResponseHead, to query: CacheQuery) -> [URL] {
        guard !query.method.isSafe, (200..<400).contains(head.status.code) else { return [] }
        let locations = [head.headers[.location], head.headers[.contentLocation]].compactMap { $0 }
        let named = locations.compactMap { URL(string: $0, relativeTo: query.url)?.absoluteURL }
        return [query.url] + named.filter { $0.authority == query.url.authority && $0.scheme == query.url.scheme }
    }

    /// Returns the effect of a response to HEAD on a stored response of the same resource (§4.3.5).
    func effect(of head: ResponseHead, on response: StoredResponse, _ query: CacheQuery, requestTime: Date, now: Date)
        -> StoredResponseUpdate
    {
        guard query.method == .head, response.status == 200, response.variant.matches(query.headers) else { return .unchanged }
        guard head.status.code == 200 else { return [404, 410].contains(head.status.code) ? .remove : .unchanged }
        let isSame = [HTTPField.Name.eTag, .lastModified, .contentLength].allSatisfy { name in
            guard let value = head.headers[name], !(name == .contentLength && isDecoded) else { return true }
            return !value.hasReplacedBytes && (name == .contentLength ? "\(response.totalLength ?? 0)" : response.headers[name]) == value
        }
        return isSame ? update(of: response, to: updatedResponse(response, by: head, query, requestTime, now), by: head, query) : .remove
    }
}

extension HTTPFields {
    /// Returns the fields that a cache stores (RFC 9111 §3.1, §5.2.2.4, §5.2.2.7).
    func storedFields(for role: CacheRole) -> HTTPFields {
        let control = role.control(of: self)
        var dropped = control.fields(of: "no-cache")
        if role.isShared { dropped += control.fields(of: "private") }
        var fields = withoutConnectionFields
        for name in dropped { fields[name] = nil }
        return fields
    }

    /// The fields without those of a single connection (RFC 9110 §7.6.1).
    package var withoutConnectionFields: HTTPFields {
        let named = members(of: .connection).compactMap { HTTPField.Name(String($0)) }
        var fields = self
        for name in named + Self.connectionFields { fields[name] = nil }
        return fields
    }

    private static let connectionFields: [HTTPField.Name] =
        [.connection, .te, .trailer, .transferEncoding, .upgrade, .proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization]
        + ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }

    /// Removes the fields that describe the bytes of a coded body.
    mutating func removeCodingFields() {
        let names: [HTTPField.Name?] = [.contentEncoding, .contentLength, .contentDigest, .reprDigest, .digest, .contentMD5]
        for name in names.compactMap(\.self) { self[name] = nil }
    }
}

extension HTTPField.Name {
    static let contentMD5 = Self("Content-MD5")
    /// The digest of a representation before RFC 9530 (RFC 3230).
    static let digest = Self("Digest")
}
