import Foundation
import HTTPTypes

// What becomes of a reply (RFC 9111 §3, §4.3.3, §4.3.4).
extension CachePolicy {
    /// - Parameters:
    ///   - asked: When the question was sent.
    ///   - now: When the reply began.
    func verdict(
        on head: ReplyHead, to query: CacheQuery, _ question: CacheQuestion, among kept: [StoredReply], asked: Date, now: Date
    ) -> CacheVerdict {
        let status = head.status.code
        switch status {
        case 304: return confirmation(head, query, question, kept, asked, now)
        case 206 where question.resumed != nil: return continuation(head, query, question, kept, asked, now)
        case 416 where question.resumed != nil: return .askAgain
        default: break
        }
        if case .answer(let index, let answer, _) = fallback(for: query, question, among: kept, status: status, at: now) {
            return .stale(index, answer)
        }
        guard question.isStorable, let reply = stored(head, query, asked, now) else { return .pass }
        return .keep(reply)
    }

    private func confirmation(
        _ head: ReplyHead, _ query: CacheQuery, _ question: CacheQuestion, _ kept: [StoredReply], _ asked: Date, _ now: Date
    ) -> CacheVerdict {
        guard let index = confirmed(by: head, question, kept) else {
            // It may be about what the client has, and the cache has not.
            return question.validated.isEmpty || query.knows(head.headers[.eTag]) ? .pass : .askAgain
        }
        let reply = freshened(kept[index], by: head, query, asked, now)
        guard let answer = answer(to: query, from: reply) else { return .askAgain }
        return .freshen(index, reply, answer, update(of: kept[index], to: reply, by: head, query))
    }

    /// Which of those that were asked about a 304 is about (§4.3.4).
    private func confirmed(by head: ReplyHead, _ question: CacheQuestion, _ kept: [StoredReply]) -> Int? {
        if let tag = head.headers[.eTag].map({ EntityTag($0) }) {
            return question.validated.first { kept[$0].entityTag.map { isConfirmed($0, by: tag) } ?? false }
        }
        if let changed = head.headers[.lastModified] {
            return question.validated.first { kept[$0].lastModified == changed }
        }
        let tags = question.headers.members(of: .ifNoneMatch).count
        return question.validated.count == 1 && tags <= 1 ? question.validated[0] : nil
    }

    /// A strong tag says that the body is the same to the byte, which a kept one is not known to be whose tag is weak. That of a body whose coding was
    /// undone is weak only here.
    private func isConfirmed(_ kept: EntityTag, by tag: EntityTag) -> Bool {
        tag.isWeak || isDecoded ? kept.matchesWeakly(tag) : kept.matchesStrongly(tag)
    }

    private func continuation(
        _ head: ReplyHead, _ query: CacheQuery, _ question: CacheQuestion, _ kept: [StoredReply], _ asked: Date, _ now: Date
    ) -> CacheVerdict {
        guard mayKeep(head, query), let index = question.resumed, let range = head.headers[.contentRange].flatMap({ ContentRange($0) }),
            case .bytes(let bytes, let total) = range, bytes.lowerBound == kept[index].length,
            let tag = head.headers[.eTag].map({ EntityTag($0) }), kept[index].entityTag?.matchesStrongly(tag) == true,
            total.map({ $0 == bytes.upperBound }) ?? false, kept[index].part?.total.map({ $0 == total }) ?? true,
            head.headers[.contentLength].map({ $0 == "\(bytes.count)" }) ?? true
        else { return .askAgain }
        var reply = kept[index]
        reply.headers = reply.headers.updated(by: head.headers.withoutConnectionFields).keepable(for: role)
        reply.headers[.contentRange] = nil
        reply.headers[.contentLength] = "\(bytes.upperBound)"
        (reply.status, reply.part, reply.requestTime, reply.responseTime) = (200, nil, asked, now)
        reply.length = bytes.upperBound
        guard let variant = Variant(of: reply.headers, to: query.headers) else { return .askAgain }
        reply.variant = variant
        // As one that came whole would not be kept.
        if head.headers.contains(.setCookie), !isWorthKeeping(reply, query) { return .askAgain }
        return .complete(index, reply)
    }

    /// A kept reply with the fields of one that confirms it (§3.2).
    func freshened(_ reply: StoredReply, by head: ReplyHead, _ query: CacheQuery, _ asked: Date, _ now: Date) -> StoredReply {
        var fresh = reply
        fresh.headers = reply.headers.updated(by: head.headers.withoutConnectionFields).keepable(for: role)
        if !head.headers.contains(.age) { fresh.headers[.age] = nil }
        if !head.headers.contains(.date) { fresh.headers[.date] = HTTPDate.text(now) }
        if reply.entityTag?.isWeak == true { fresh.headers[.eTag] = reply.headers[.eTag] }
        (fresh.requestTime, fresh.responseTime) = (asked, now)
        if head.headers.contains(.vary), reply.variant.matches(query.headers) {
            fresh.variant = Variant(of: fresh.headers, to: query.headers) ?? reply.variant
        }
        return fresh
    }

    /// What a reply that confirms a kept one makes of it, which is shown as `fresh` to whoever asked.
    ///
    /// A confirmation that is not to be kept itself changes nothing for others; one that is for nobody else, or for no other request, is the last of
    /// what was kept.
    func update(of former: StoredReply, to fresh: StoredReply, by head: ReplyHead, _ query: CacheQuery) -> Update {
        guard role.mayShow(former) else { return .none }
        guard mayBeKept(fresh), Variant(of: fresh.headers, to: query.headers) != nil else { return .remove }
        guard mayKeepAnything(of: query, as: role.control(of: fresh.headers)) else { return .none }
        guard role.isShared, !isForAll(head) else { return .become(fresh) }
        // A cookie that came with it is for whoever asked.
        var kept = fresh
        kept.headers[fields: .setCookie] = former.headers[fields: .setCookie]
        return .become(kept)
    }

    /// Whether a reply says itself that it may be used again without asking, so that what stands in it is for everybody.
    private func isForAll(_ head: ReplyHead) -> Bool {
        let alone = StoredReply(
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
