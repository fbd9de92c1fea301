import Foundation
package import HTTPTypes

// What is kept, and what a change elsewhere makes void (RFC 9111 §3, §4.3.5, §4.4).
extension CachePolicy {
    /// A reply as it is kept; nil when it is not.
    func storedResponse(_ head: ResponseHead, _ query: CacheQuery, _ requestTime: Date, _ now: Date) -> StoredResponse? {
        guard mayStore(head, query), let variant = Variant(of: head.headers, to: query.headers) else { return nil }
        var headers = head.headers.storable(for: role)
        if headers.date(.date, near: now) == nil { headers[.date] = HTTPDate.text(now) }
        if isDecoded, head.contentCoding != nil { headers.markDecoded() }
        var reply = StoredResponse(
            status: head.status.code, headers: headers, requestTime: requestTime, responseTime: now, variant: variant)
        if head.status.code == 206 {
            guard let range = head.headers[.contentRange].flatMap({ ContentRange($0) }), case .bytes(let bytes, let total) = range,
                !(isDecoded && head.contentCoding != nil)
            else { return nil }
            reply.part = StoredResponse.Part(first: bytes.lowerBound, total: total)
            reply.length = bytes.count
        }
        return isReusable(reply, query) ? reply : nil
    }

    /// §3.
    func mayStore(_ head: ResponseHead, _ query: CacheQuery) -> Bool {
        let control = role.control(of: head.headers)
        let status = head.status.code
        guard query.method == .get || isCacheablePOST(head, query), status >= 200, status != 304, status != 416 else { return false }
        return permitsStorage(status, control) && permitsStoringResponse(to: query, as: control)
    }

    /// Whether a reply that is kept may go on being so.
    func mayRemainStored(_ reply: StoredResponse) -> Bool { permitsStorage(reply.status, reply.control(for: role)) }

    /// What a reply says of being kept (§5.2.2.3, §5.2.2.5, §5.2.2.7).
    private func permitsStorage(_ status: Int, _ control: CacheControl) -> Bool {
        if control.has("must-understand") {
            guard StatusRules.isUnderstood(status) else { return false }
        } else if control.has("no-store") {
            return false
        }
        return !(role.isShared && control.hasUnqualified("private"))
    }

    /// Whether anything may be kept of what answers a request, for all that the request says (§3.5, §5.2.1.5).
    func permitsStoringResponse(to query: CacheQuery, as control: CacheControl) -> Bool {
        guard !query.control.has("no-store") else { return false }
        return !role.isShared || !query.headers.contains(.authorization) || control.has("public") || control.has("must-revalidate")
            || control.has("s-maxage")
    }

    /// Whether the reply to POST is what a GET would bring (RFC 9110 §9.3.3).
    private func isCacheablePOST(_ head: ResponseHead, _ query: CacheQuery) -> Bool {
        guard query.method == .post, head.status.code == 200, let place = head.headers[.contentLocation] else { return false }
        return URL(string: place, relativeTo: query.url)?.absoluteURL == query.url.absoluteURL
    }

    /// Whether it can be used once more, with or without asking.
    func isReusable(_ reply: StoredResponse, _ query: CacheQuery) -> Bool {
        if Freshness.explicitLifetime(of: reply, in: role) ?? Freshness.defaultLifetime(of: reply, in: role) != nil { return true }
        guard query.method == .get, StatusRules.isHeuristicallyCacheable(reply.status) || reply.control(for: role).has("public") else { return false }
        // Nobody said that others may have the same cookie.
        if role.isShared, reply.headers.contains(.setCookie) { return false }
        return reply.headers.contains(.eTag) || reply.headers.contains(.lastModified)
    }

    // MARK: Changes

    /// The URLs of which nothing is good any more after a reply (§4.4).
    func invalidatedURLs(by head: ResponseHead, to query: CacheQuery) -> [URL] {
        let safe: [HTTPRequest.Method] = [.get, .head, .options, .trace]
        guard !safe.contains(query.method), (200..<400).contains(head.status.code) else { return [] }
        let places = [head.headers[.location], head.headers[.contentLocation]].compactMap { $0 }
        let named = places.compactMap { URL(string: $0, relativeTo: query.url)?.absoluteURL }
        return [query.url] + named.filter { $0.authority == query.url.authority && $0.scheme == query.url.scheme }
    }

    /// What the reply to HEAD makes of what is kept of the same resource (§4.3.5).
    func effect(of head: ResponseHead, on reply: StoredResponse, _ query: CacheQuery, requestTime: Date, now: Date) -> StoredResponseUpdate {
        guard query.method == .head, reply.status == 200, reply.variant.matches(query.headers) else { return .unchanged }
        guard head.status.code == 200 else { return [404, 410].contains(head.status.code) ? .remove : .unchanged }
        let isSame = [HTTPField.Name.eTag, .lastModified, .contentLength].allSatisfy { name in
            guard let value = head.headers[name], !(name == .contentLength && isDecoded) else { return true }
            return (name == .contentLength ? "\(reply.totalLength ?? 0)" : reply.headers[name]) == value
        }
        return isSame ? update(of: reply, to: freshened(reply, by: head, query, requestTime, now), by: head, query) : .remove
    }
}

extension HTTPFields {
    /// The fields that a cache keeps (RFC 9111 §3.1, §5.2.2.4, §5.2.2.7).
    func storable(for role: CacheRole) -> HTTPFields {
        let control = role.control(of: self)
        var dropped = control.fields(of: "no-cache")
        if role.isShared { dropped += control.fields(of: "private") }
        var fields = withoutConnectionFields
        for name in dropped { fields[name] = nil }
        return fields
    }

    /// The fields without those that hold for one connection (RFC 9110 §7.6.1).
    package var withoutConnectionFields: HTTPFields {
        let named = members(of: .connection).compactMap { HTTPField.Name(String($0)) }
        var fields = self
        for name in named + Self.connectionFields { fields[name] = nil }
        return fields
    }

    private static let connectionFields: [HTTPField.Name] =
        [.connection, .te, .trailer, .transferEncoding, .upgrade, .proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization]
        + ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }

    /// Says what a body is like whose coding was undone: its entity tag is that of the coded one, and good for asking alone.
    mutating func markDecoded() {
        for name in [HTTPField.Name.contentEncoding, .contentLength, .contentDigest, .contentMD5].compactMap({ $0 }) { self[name] = nil }
        if let tag = self[.eTag], !tag.hasPrefix("W/") { self[.eTag] = "W/\(tag)" }
    }
}

extension HTTPField.Name {
    static let contentMD5 = Self("Content-MD5")
}
