import Foundation
import HTTPFieldValues
import HTTPTypes

// Actions on responses (RFC 9111 §3, §4.3.3, §4.3.4).
extension CachePolicy {
    /// Returns the action for a response of the origin: whether it is stored, forwarded or combined with a stored response.
    ///
    /// - Parameters:
    ///   - requestTime: The time when the request was sent.
    ///   - now: The time when the response began.
    func action(
        for head: ResponseHead, to query: CacheQuery, _ originRequest: OriginRequest, among stored: [StoredResponse], requestTime: Date,
        now: Date
    ) -> ResponseAction {
        let status = head.status.code
        switch status {
        case 304: return actionForNotModified(head, query, originRequest, stored, requestTime, now)
        case 206 where originRequest.resumed != nil: return actionForPartialContent(head, query, originRequest, stored, requestTime, now)
        case 416 where originRequest.resumed != nil: return .retryWithoutConditions
        default: break
        }
        if case .serve(let index, let content, _) = fallback(for: query, originRequest, among: stored, status: status, at: now) {
            return .serveStale(index, content)
        }
        return responseToStore(head, query, originRequest, requestTime, now).map { .store($0) } ?? .passThrough
    }

    /// Returns the stored form of a response that is passed on; nil when it is not stored.
    func responseToStore(
        _ head: ResponseHead, _ query: CacheQuery, _ originRequest: OriginRequest, _ requestTime: Date, _ now: Date
    ) -> StoredResponse? {
        originRequest.allowsStorage ? storedResponse(head, query, requestTime, now) : nil
    }

    private func actionForNotModified(
        _ head: ResponseHead, _ query: CacheQuery, _ originRequest: OriginRequest, _ stored: [StoredResponse], _ requestTime: Date,
        _ now: Date
    ) -> ResponseAction {
        guard let index = validatedIndex(by: head, originRequest, stored) else {
            // It may refer to a representation that the client has and the cache has not.
            return originRequest.validated.isEmpty || query.hasClientTag(head.headers[.eTag]) ? .passThrough : .retryWithoutConditions
        }
        let response = updatedResponse(stored[index], by: head, query, requestTime, now)
        guard let content = servedContent(for: query, from: response) else { return .retryWithoutConditions }
        return .freshen(index, response, content, update(of: stored[index], to: response, by: head, query))
    }

    /// Returns the index of the validated response that a 304 refers to (§4.3.4).
    private func validatedIndex(by head: ResponseHead, _ originRequest: OriginRequest, _ stored: [StoredResponse]) -> Int? {
        if let tag = head.headers[.eTag].map({ EntityTag($0) }) {
            return originRequest.validated.first { stored[$0].entityTag.map { isValidated($0, by: tag) } ?? false }
        }
        if let changed = head.headers[.lastModified] {
            return originRequest.validated.first { stored[$0].lastModified == changed }
        }
        let tags = originRequest.headers.members(of: .ifNoneMatch).count
        return originRequest.validated.count == 1 && tags <= 1 ? originRequest.validated[0] : nil
    }

    /// Whether a stored entity tag is validated by that of a 304. A strong tag implies identical bytes, which a weak stored tag does not guarantee;
    /// earlier releases stored those of decoded bodies as weak ones.
    private func isValidated(_ stored: EntityTag, by tag: EntityTag) -> Bool {
        tag.isWeak || isDecoded ? stored.isWeakMatch(tag) : stored.isStrongMatch(tag)
    }

    private func actionForPartialContent(
        _ head: ResponseHead, _ query: CacheQuery, _ originRequest: OriginRequest, _ stored: [StoredResponse], _ requestTime: Date,
        _ now: Date
    ) -> ResponseAction {
        guard mayStore(head, query), let index = originRequest.resumed,
            let range = head.headers[.contentRange].flatMap({ ContentRange($0) }),
            case .bytes(let bytes, let total) = range, bytes.lowerBound == stored[index].length,
            let tag = head.headers[.eTag].map({ EntityTag($0) }), stored[index].entityTag?.isStrongMatch(tag) == true,
            total.map({ $0 == bytes.upperBound }) ?? false, stored[index].part?.total.map({ $0 == total }) ?? true,
            head.headers[.contentLength].map({ $0 == "\(bytes.count)" }) ?? true
        else { return .retryWithoutConditions }
        var response = stored[index]
        response.headers = response.headers.updated(by: head.headers.withoutConnectionFields).storedFields(for: role)
        response.headers[.contentRange] = nil
        response.headers[.contentLength] = "\(bytes.upperBound)"
        (response.status, response.part, response.requestTime, response.responseTime) = (200, nil, requestTime, now)
        response.length = bytes.upperBound
        guard let variant = Variant(of: response.headers, to: query.headers) else { return .retryWithoutConditions }
        response.variant = variant
        // A complete response of this kind would not be stored either.
        if head.headers.contains(.setCookie), !canReuse(response, query) { return .retryWithoutConditions }
        return .combine(index, response)
    }

    /// Returns a stored response with the fields of the one that validates it (§3.2), as it is served to the client of the latter.
    func updatedResponse(_ response: StoredResponse, by head: ResponseHead, _ query: CacheQuery, _ requestTime: Date, _ now: Date)
        -> StoredResponse
    {
        var fresh = response
        fresh.headers = response.headers.updated(by: head.headers.withoutConnectionFields)
        if fresh.isDecoded { fresh.headers.removeCodingFields() }
        if !head.headers.contains(.age) { fresh.headers[.age] = nil }
        if !head.headers.contains(.date) { fresh.headers[.date] = now.httpDate }
        if response.entityTag?.isWeak == true { fresh.headers[.eTag] = response.headers[.eTag] }
        (fresh.requestTime, fresh.responseTime) = (requestTime, now)
        if head.headers.contains(.vary), response.variant.matches(query.headers) {
            fresh.variant = Variant(of: fresh.headers, to: query.headers) ?? response.variant
        }
        return fresh
    }

    /// Returns the effect on a stored response of one that validates it, which is served to its client as `fresh`.
    ///
    /// A validation that must not be stored changes nothing for others; one that is for no other user or no other request removes the stored
    /// response.
    func update(of former: StoredResponse, to fresh: StoredResponse, by head: ResponseHead, _ query: CacheQuery) -> StoredResponseUpdate {
        guard role.mayServe(former) else { return .unchanged }
        guard allowsRetaining(fresh), Variant(of: fresh.headers, to: query.headers) != nil else { return .remove }
        guard allowsStoringResponse(to: query, as: role.control(of: fresh.headers)) else { return .unchanged }
        var replacement = fresh
        // A cookie of the validation is only for its client.
        if role.isShared, !explicitlyAllowsReuse(head, of: fresh) {
            replacement.headers[fields: .setCookie] = former.headers[fields: .setCookie]
        }
        replacement.headers = replacement.headers.storedFields(for: role)
        return .replace(replacement)
    }

    /// Whether a validation itself gives the freshened response a positive lifetime, so that its contents are for all clients.
    private func explicitlyAllowsReuse(_ head: ResponseHead, of fresh: StoredResponse) -> Bool {
        var alone = fresh
        alone.headers = head.headers
        return Freshness.explicitLifetime(of: alone, in: role).map { $0 > 0 } ?? false
    }
}

extension HTTPFields {
    /// Returns these fields updated by those of a later response, except those that describe the transfer of a body (RFC 9111 §3.2).
    func updated(by later: HTTPFields) -> HTTPFields {
        var fields = self
        let names = Set(later.map(\.name)).subtracting([.contentLength, .contentEncoding, .contentRange, .transferEncoding])
        for name in names { fields[fields: name] = later[fields: name] }
        return fields
    }
}
