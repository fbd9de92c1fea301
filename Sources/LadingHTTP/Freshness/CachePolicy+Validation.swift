import Foundation
import HTTPFieldValues
import HTTPTypes

// Requests that validate stored responses (RFC 9111 §4.3.1).
extension CachePolicy {
    func originRequest(for query: CacheQuery, among stored: [StoredResponse]) -> OriginRequest {
        var originRequest = OriginRequest(reason: .uriMiss, headers: query.headers, allowsStorage: true)
        let matching = stored.indices.filter { role.mayServe(stored[$0]) && stored[$0].matchesVariant(of: query.headers) }
        let usable = matching.filter { servedContent(for: query, from: stored[$0]) != nil }
        // The newest one, or a complete one that is no older and serves every range.
        originRequest.selected =
            usable.first { stored[$0].part == nil && stored[$0].isAtLeastAsRecent(as: stored[usable[0]]) } ?? usable.first
        if let selected = originRequest.selected {
            originRequest.validate(stored[selected], at: selected)
        } else if query.method == .get, query.range == nil,
            let prefix = matching.first(where: { stored[$0].part?.first == 0 && stored[$0].hasStrongEntityTag }),
            let tag = stored[prefix].entityTag
        {
            originRequest.resumed = prefix
            originRequest.headers[.range] = "bytes=\(stored[prefix].length)-"
            originRequest.headers[.ifRange] = tag.text
            originRequest.headers.dropConditions()
            return originRequest
        }
        let others = stored.indices.filter {
            !matching.contains($0) && stored[$0].part == nil && stored[$0].status == 200 && role.mayServe(stored[$0])
        }
        originRequest.addTags(of: others.map { ($0, stored[$0]) })
        return originRequest
    }

    /// Returns the plan to serve a stored response when the origin is unreachable (§4.2.4) or fails (RFC 5861 §4); nil without one.
    ///
    /// - Parameter status: The status of the origin's response; nil without a response.
    func fallback(for query: CacheQuery, _ originRequest: OriginRequest, among stored: [StoredResponse], status: Int?, at now: Date)
        -> CachePlan?
    {
        guard let selected = originRequest.selected, let content = servedContent(for: query, from: stored[selected]) else { return nil }
        let response = stored[selected]
        let control = response.control(for: role)
        guard mayServeStale(control), !query.requiresValidation, !query.control.has("min-fresh") else { return nil }
        let freshness = Freshness(of: response, in: role, at: now)
        if let maximumAge = query.control.seconds("max-age"), freshness.age > Double(maximumAge) { return nil }
        let requestedWindow = query.control.seconds("stale-if-error")
        if requestedWindow == nil, let limit = query.control.maxStale, freshness.staleness > Double(limit) { return nil }
        let window = requestedWindow ?? control.seconds("stale-if-error")
        switch status {
        case 500?: guard let window, freshness.staleness <= Double(window) else { return nil }
        case nil, 502?, 503?, 504?: guard freshness.staleness <= window.map(Double.init) ?? .infinity else { return nil }
        default: return nil
        }
        return .serve(selected, content, refresh: nil)
    }
}

extension OriginRequest {
    /// Sets the conditions that validate the selected response, together with the entity tags of the client.
    fileprivate mutating func validate(_ response: StoredResponse, at index: Int) {
        guard response.headers.contains(.eTag) || response.headers.contains(.lastModified) else { return headers.dropConditions() }
        let known = headers.entityTags(in: .ifNoneMatch)
        headers[.ifModifiedSince] = response.lastModified
        headers[.ifNoneMatch] = nil
        validated = [index]
        guard let tag = response.entityTag else { return }
        let others = known.filter { !$0.isWeakMatch(tag) && $0 != .any }
        headers[.ifNoneMatch] = ([tag] + others.prefix(CachePolicy.tagLimit)).map(\.text).joined(separator: ", ")
    }

    /// Adds the entity tags of variants for other requests: the origin may select one of them (§4.1).
    fileprivate mutating func addTags(of variants: [(Int, StoredResponse)]) {
        guard selected == nil || headers.contains(.ifNoneMatch) else { return }
        var tags = headers.entityTags(in: .ifNoneMatch)
        guard !tags.contains(.any), selected != nil || !headers.contains(.ifModifiedSince) else { return }
        for (index, response) in variants where tags.count < CachePolicy.tagLimit {
            guard let tag = response.entityTag, !tags.contains(where: { $0.isWeakMatch(tag) }) else { continue }
            tags.append(tag)
            validated.append(index)
        }
        if !tags.isEmpty, !validated.isEmpty { headers[.ifNoneMatch] = tags.map(\.text).joined(separator: ", ") }
    }

    /// Returns the same request with its reason.
    func withReason(
        for query: CacheQuery, among stored: [StoredResponse], at now: Date, _ role: CacheRole
    ) -> OriginRequest {
        var originRequest = self
        if let selected {
            let isFresh = Freshness(of: stored[selected], in: role, at: now).isFresh
            originRequest.reason = isFresh && !stored[selected].control(for: role).hasUnqualified("no-cache") ? .request : .stale
        } else if resumed != nil || stored.contains(where: { role.mayServe($0) && $0.matchesVariant(of: query.headers) }) {
            originRequest.reason = .partial
        } else {
            originRequest.reason = stored.contains { role.mayServe($0) } ? .varyMiss : .uriMiss
        }
        return originRequest
    }
}

extension HTTPFields {
    /// Removes the conditions that may lead to a 304.
    mutating func dropConditions() {
        self[.ifNoneMatch] = nil
        self[.ifModifiedSince] = nil
    }
}

extension StoredResponse {
    /// Returns whether the response is no older than another of the same resource.
    fileprivate func isAtLeastAsRecent(as other: StoredResponse) -> Bool {
        date >= other.date || other.entityTag.map { entityTag?.isStrongMatch($0) == true } ?? false
    }

    /// Returns whether the response matches requests with these fields, by content negotiation.
    ///
    /// A response in the single language that a client prefers matches, whatever other languages the client accepts.
    func matchesVariant(of request: HTTPFields) -> Bool {
        if variant.matches(request) { return true }
        guard let language = headers[.contentLanguage]?.lowercased() else { return false }
        let preferences = Preference.parse(request[values: .acceptLanguage])
        guard let first = preferences.first, first.name == language, first.weight > (preferences.dropFirst().first?.weight ?? 0) else {
            return false
        }
        var others = variant
        others.fields.removeAll { $0.name == "accept-language" }
        return others.matches(request)
    }
}
