import Foundation
import HTTPTypes
import LadingCaching

// How an origin is asked, and what becomes of its reply.
extension HTTPCache {
    /// How a question to the origin went.
    private enum Step<Outcome: Sendable>: Sendable {
        case done(Outcome)
        /// The reply is a kept one.
        case answer(CacheAnswer, Shelf.Entry, CacheStatus, isLast: Bool = false)
        /// The question is to be asked as the client asked it.
        case again
    }

    func ask<Outcome: Sendable>(
        _ question: CacheQuestion, _ request: CachedRequest, _ shelf: Shelf, _ flight: CacheFlights.Flight,
        _ receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        switch try await step(question, request, shelf, flight, receive) {
        case .done(let outcome): return outcome
        case .answer(let answer, let entry, let status, let isLast):
            if let reading = await reading(of: answer, from: entry, for: request.query.method) {
                if isLast { try? await store.remove(entry.blob) }
                flights.release(flight)
                return try await receive(reading.head(status, self), reading.body)
            }
        case .again: break
        }
        let plain = CacheQuestion(reason: question.reason, headers: request.message.headers, isStorable: question.isStorable)
        guard case .done(let outcome) = try await step(plain, request, Shelf(), flight, receive) else {
            preconditionFailure("what was asked without conditions is answered")
        }
        return outcome
    }

    private func step<Outcome: Sendable>(
        _ question: CacheQuestion, _ request: CachedRequest, _ shelf: Shelf, _ flight: CacheFlights.Flight,
        _ receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Step<Outcome> {
        var message = request.message
        message.headers = question.headers
        let asked = now()
        var hasBegun = false
        do {
            return try await request.executor.execute(message, timeLimit: request.timeLimit) { head, body in
                hasBegun = true
                let reply = Arrival(head: head, body: body, asked: asked, now: now())
                return try await take(reply, question, request, shelf, flight, receive)
            }
        } catch let error as BackendError where !hasBegun && error.meansOffline {
            let plan = policy.fallback(for: request.query, question, among: shelf.replies, status: nil, at: now())
            guard case .answer(let index, let answer, _) = plan else { throw error }
            return .answer(answer, shelf.entries[index], CacheStatus(name: name, forward: question.reason, detail: "unreachable"))
        }
    }

    /// A reply as it comes in.
    private struct Arrival {
        let head: ReplyHead
        let body: ReplyBody
        let asked: Date
        let now: Date
    }

    private func take<Outcome: Sendable>(
        _ arrival: Arrival, _ question: CacheQuestion, _ request: CachedRequest, _ shelf: Shelf, _ flight: CacheFlights.Flight,
        _ receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Step<Outcome> {
        let (head, query) = (arrival.head, request.query)
        await void(policy.voided(by: head, to: query), request, but: flight)
        await apply(head, of: arrival, to: shelf, query)
        let status = CacheStatus(name: name, forward: question.reason, forwardStatus: head.status.code)
        let verdict = policy.verdict(on: head, to: query, question, among: shelf.replies, asked: arrival.asked, now: arrival.now)
        switch verdict {
        case .askAgain: return .again
        case .stale(let index, let answer):
            return .answer(answer, shelf.entries[index], status)
        case .freshen(let index, let reply, let answer, let update):
            // To its end, so that the connection is good for the next exchange.
            for try await _ in arrival.body {}
            var entry = Shelf.Entry(blob: shelf.entries[index].blob, reply: reply)
            if case .become(let kept) = update {
                guard let blob = try? await store.setNote(kept.note, of: entry.blob) else { return .again }
                entry = Shelf.Entry(blob: blob, reply: reply)
            }
            return .answer(answer, entry, status, isLast: update == .remove)
        case .pass:
            flights.release(flight)
            let outcome = try await receive(head.noting(status), arrival.body)
            if question.selected != nil, isSuccessor(head, to: query) { await removeOutdated(by: query, in: shelf) }
            return .done(outcome)
        case .keep(let reply):
            return .done(try await keep(reply, of: arrival, status, request, shelf, flight, after: nil, receive))
        case .complete(let index, let reply):
            guard let beginning = await reading(of: .whole, from: shelf.entries[index], for: query.method) else { return .again }
            return .done(try await keep(reply, of: arrival, status, request, shelf, flight, after: beginning, receive))
        }
    }

    /// Hands a reply over while it is kept.
    private func keep<Outcome: Sendable>(
        _ reply: StoredReply, of arrival: Arrival, _ status: CacheStatus, _ request: CachedRequest, _ shelf: Shelf,
        _ flight: CacheFlights.Flight, after beginning: Reading?, _ receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        let key = BlobKey(group: request.group, name: reply.name)
        guard let writer = try? await store.write(key, note: reply.note) else {
            flights.release(flight)
            return try await receive(arrival.head.noting(status), arrival.body)
        }
        var status = status
        status.isStored = true
        var head = arrival.head
        if beginning != nil { head = ReplyHead(status: .ok, headers: reply.headers) }
        let length = head.announcedLength(asked: request.query.method)
        let copy = BodyCopy(
            writer: writer, length: length,
            isWanted: { [flights] length in
                !flights.isVoid(flight) && (reply.part == nil && beginning == nil || length == reply.length)
            },
            whenOver: { [self] isKept in
                if isKept { await makeRoom(for: key, among: shelf) }
                flights.release(flight)
            })
        do {
            if length == 0 { try await copy.finish() }
            let body = beginning.map { copy.body(of: $0.body, then: arrival.body) } ?? copy.body(of: arrival.body)
            let outcome = try await receive(head.noting(status), body)
            await copy.abandon()
            if copy.isRefused, reply.part == nil, beginning == nil { await removeOutdated(by: request.query, in: shelf) }
            return outcome
        } catch {
            await copy.abandon()
            throw error
        }
    }

    /// Whether a reply that is not kept is a newer one all the same, which no request forbade to keep.
    private func isSuccessor(_ head: ReplyHead, to query: CacheQuery) -> Bool {
        query.method == .get && query.range == nil && (200..<300).contains(head.status.code) && head.status.code != 206
            && policy.mayKeepAnything(of: query, as: policy.role.control(of: head.headers))
    }

    /// Removes what was kept for a request to which something newer came that is not kept: it would go on answering.
    private func removeOutdated(by query: CacheQuery, in shelf: Shelf) async {
        for entry in shelf.entries where entry.reply.variant.matches(query.headers) { try? await store.remove(entry.blob) }
    }

    /// Removes the variants that were kept for the longest time, beyond the bound.
    private func makeRoom(for key: BlobKey, among shelf: Shelf) async {
        let others = shelf.entries.filter { $0.blob.key != key }
        for entry in others.dropFirst(Self.variantLimit - 1) { try? await store.remove(entry.blob) }
        // A whole makes its parts superfluous.
        if !key.name.hasPrefix(StoredReply.partPrefix) {
            for entry in others where entry.blob.key.name == StoredReply.partPrefix + key.name { try? await store.remove(entry.blob) }
        }
    }

    private func void(_ urls: [URL], _ request: CachedRequest, but flight: CacheFlights.Flight) async {
        for url in urls {
            let group = request.group(of: url)
            flights.void(group, but: flight)
            try? await store.removeAll(in: group)
        }
    }

    /// The reply to HEAD tells something of what is kept (RFC 9111 §4.3.5).
    private func apply(_ head: ReplyHead, of arrival: Arrival, to shelf: Shelf, _ query: CacheQuery) async {
        for entry in shelf.entries {
            switch policy.effect(of: head, on: entry.reply, query, asked: arrival.asked, now: arrival.now) {
            case .none: break
            case .become(let reply): _ = try? await store.setNote(reply.note, of: entry.blob)
            case .remove: try? await store.remove(entry.blob)
            }
        }
    }
}

extension CachedRequest {
    /// Where replies of another URL are kept for the same requester.
    func group(of url: URL) -> String {
        let address = String(message.url.absoluteString.prefix { $0 != "#" })
        return "\(group.dropLast(address.count))\(url.absoluteString.prefix { $0 != "#" })"
    }
}

extension StoredReply {
    static let partPrefix = "part "

    /// What tells it apart from other replies of the same URL.
    var name: String { part == nil ? variant.name : Self.partPrefix + variant.name }
}

extension ReplyHead {
    func noting(_ status: CacheStatus) -> ReplyHead {
        var head = self
        status.add(to: &head.headers)
        return head
    }

    /// How many bytes follow; nil when that is known at their end.
    func announcedLength(asked method: HTTPRequest.Method) -> Int? {
        method == .head || status.code == 204 || status.code == 304 ? 0 : bodyLength(asked: method)
    }
}

extension BackendError {
    /// Whether the origin could not be asked, so that what is kept may take the place of its reply (RFC 9111 §4.2.4).
    var meansOffline: Bool {
        switch self {
        case .unreachable, .timedOut, .interrupted, .malformedReply, .circuitOpen: true
        case .status, .bodyTooLarge, .overrun, .tooManyRedirects, .refused, .undecodable: false
        }
    }
}
