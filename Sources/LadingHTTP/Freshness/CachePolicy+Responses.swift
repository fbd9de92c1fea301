import Foundation
import HTTPTypes

// What becomes of a reply (RFC 9111 §3, §4.3.3, §4.3.4).
extension CachePolicy {
    /// - Parameters:
    ///   - asked: When the question was sent.
    ///   - now: When the reply began.
    func action(
        for head: ResponseHead, to query: CacheQuery, _ originRequest: OriginRequest, among stored: [StoredResponse], requestTime: Date, now: Date
    ) -> ResponseAction {
        let status = head.status.code
        switch status {
        case 304: return actionForNotModified(head, query, originRequest, stored, requestTime, now)
        case 206 where originRequest.resumed != nil: return actionForPartialContent(head, query, originRequest, stored, requestTime, now)
        case 416 where originRequest.resumed != nil: return .retryUnconditionally
        default: break
        }
        if case .serve(let index, let answer, _) = fallback(for: query, originRequest, among: stored, status: status, at: now) {
            return .serveStale(index, answer)
        }
        guard originRequest.isStorable, let reply = storedResponse(head, query, requestTime, now) else { return .passThrough }
        return .store(reply)
    }

    private func actionForNotModified(
        _ head: ResponseHead, _ query: CacheQuery, _ originRequest: OriginRequest, _ stored: [StoredResponse], _ requestTime: Date, _ now: Date
    ) -> ResponseAction {
        guard let index = validatedIndex(by: head, originRequest, stored) else {
            // It may be about what the client has, and the cache has not.
            return originRequest.validated.isEmpty || query.hasClientTag(head.headers[.eTag]) ? .passThrough : .retryUnconditionally
        }
        let reply = freshened(stored[index], by: head, query, requestTime, now)
        guard let answer = servedContent(for: query, from: reply) else { return .retryUnconditionally }
        return .freshen(index, reply, answer, update(of: stored[index], to: reply, by: head, query))
    }

    /// Which of those that were asked about a 304 is about (§4.3.4).
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

    /// A strong tag says that the body is the same to the byte, which a kept one is not known to be whose tag is weak. That of a body whose coding was
    /// undone is weak only here.
    private func isValidated(_ stored: EntityTag, by tag: EntityTag) -> Bool {
        tag.isWeak || isDecoded ? stored.matchesWeakly(tag) : stored.matchesStrongly(tag)
    }

    private func actionForPartialContent(
        _ head: ResponseHead, _ query: CacheQuery, _ originRequest: OriginRequest, _ stored: [StoredResponse], _ requestTime: Date, _ now: Date
    ) -> ResponseAction {
        guard mayStore(head, query), let index = originRequest.resumed, let range = head.headers[.contentRange].flatMap({ ContentRange($0) }),
            case .bytes(let bytes, let total) = range, bytes.lowerBound == stored[index].length,
            let tag = head.headers[.eTag].map({ EntityTag($0) }), stored[index].entityTag?.matchesStrongly(tag) == true,
            total.map({ $0 == bytes.upperBound }) ?? false, stored[index].part?.total.map({ $0 == total }) ?? true,
            head.headers[.contentLength].map({ $0 == "\(bytes.count)" }) ?? true
        else { return .retryUnconditionally }
        var reply = stored[index]
        reply.headers = reply.headers.updated(by: head.headers.withoutConnectionFields).storable(for: role)
        reply.headers[.contentRange] = nil
        reply.headers[.contentLength] = "\(bytes.upperBound)"
        (reply.status, reply.part, reply.requestTime, reply.responseTime) = (200, nil, requestTime, now)
        reply.length = bytes.upperBound
        guard let variant = Variant(of: reply.headers, to: query.headers) else { return .retryUnconditionally }
        reply.variant = variant
        // As one that came whole would not be kept.
        if head.headers.contains(.setCookie), !isReusable(reply, query) { return .retryUnconditionally }
        return .combine(index, reply)
    }

    /// A kept reply with the fields of one that confirms it (§3.2).
    func freshened(_ response: StoredResponse, by head: ResponseHead, _ query: CacheQuery, _ requestTime: Date, _ now: Date) -> StoredResponse {
        var fresh = response
        fresh.headers = response.headers.updated(by: head.headers.withoutConnectionFields).storable(for: role)
        if !head.headers.contains(.age) { fresh.headers[.age] = nil }
        if !head.headers.contains(.date) { fresh.headers[.date] = HTTPDate.text(now) }
        if response.entityTag?.isWeak == true { fresh.headers[.eTag] = response.headers[.eTag] }
        (fresh.requestTime, fresh.responseTime) = (requestTime, now)
        if head.headers.contains(.vary), response.variant.matches(query.headers) {
            fresh.variant = Variant(of: fresh.headers, to: query.headers) ?? response.variant
        }
        return fresh
    }

    /// What a reply that confirms a kept one makes of it, which is shown as `fresh` to whoever asked.
    ///
    /// A confirmation that is not to be kept itself changes nothing for others; one that is for nobody else, or for no other request, is the last of
    /// what was kept.
    func update(of former: StoredResponse, to fresh: StoredResponse, by head: ResponseHead, _ query: CacheQuery) -> StoredResponseUpdate {
        guard role.mayServe(former) else { return .unchanged }
        guard mayRemainStored(fresh), Variant(of: fresh.headers, to: query.headers) != nil else { return .remove }
        guard permitsStoringResponse(to: query, as: role.control(of: fresh.headers)) else { return .unchanged }
        guard role.isShared, !isExplicitlyReusable(head) else { return .replace(fresh) }
        // A cookie that came with it is for whoever asked.
        var replacement = fresh
        replacement.headers[fields: .setCookie] = former.headers[fields: .setCookie]
        return .replace(replacement)
    }

    /// Whether a reply says itself that it may be used again without asking, so that what stands in it is for everybody.
    private func isExplicitlyReusable(_ head: ResponseHead) -> Bool {
        let alone = StoredResponse(
            status: 200, headers: head.headers, requestTime: .distantPast, responseTime: .distantPast, variant: Variant(fields: []))
        return Freshness.explicitLifetime(of: alone, in: role).map { $0 > 0 } ?? false
    }
}

extension HTTPFields {
    /// These fields with those of a later reply in their place, but for what tells how a body was sent (RFC 9111 §3.2).
    func updated(by later: HTTPFields) -> HTTPFields {
        var fields = self
        let names = Set(later.map(\.name)).subtracting([.contentLength, .contentEncoding, .contentRange, .transferEncoding])
        for name in names { fields[fields: name] = later[fields: name] }
        return fields
    }
}
