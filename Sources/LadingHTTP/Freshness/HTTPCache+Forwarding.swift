import Foundation
import HTTPTypes
import LadingCaching

// Requests to the origin, and the actions on its responses.
extension HTTPCache {
    /// The result of a request to the origin.
    private enum ForwardResult<Outcome: Sendable>: Sendable {
        case done(Outcome)
        /// A stored response is to be served.
        case serve(ServedContent, StoredVariants.Entry, CacheStatus, removesEntry: Bool = false)
        /// The request is to be sent again as the client sent it.
        case retryUnconditionally
    }

    func forward<Outcome: Sendable>(
        _ originRequest: OriginRequest, _ request: CacheableRequest, _ variants: StoredVariants, _ flight: CacheFlights.Flight,
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        switch try await attempt(originRequest, request, variants, flight, receive) {
        case .done(let outcome): return outcome
        case .serve(let content, let entry, let status, let isLast):
            if let reading = await open(content, from: entry, for: request.query.method) {
                if isLast { try? await store.remove(entry.blob) }
                flights.release(flight)
                return try await receive(reading.head(status, self), reading.body)
            }
        case .retryUnconditionally: break
        }
        let unconditional = OriginRequest(
            reason: originRequest.reason, headers: request.message.headers, isStorable: originRequest.isStorable)
        guard case .done(let outcome) = try await attempt(unconditional, request, StoredVariants(), flight, receive) else {
            preconditionFailure("an unconditional request must have a response")
        }
        return outcome
    }

    private func attempt<Outcome: Sendable>(
        _ originRequest: OriginRequest, _ request: CacheableRequest, _ variants: StoredVariants, _ flight: CacheFlights.Flight,
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> ForwardResult<Outcome> {
        var message = request.message
        message.headers = originRequest.headers
        let requestTime = now()
        var hasBegun = false
        do {
            return try await request.executor.execute(message, timeLimit: request.timeLimit) { head, body in
                hasBegun = true
                let incoming = IncomingResponse(head: head, body: body, requestTime: requestTime, responseTime: now())
                return try await process(incoming, originRequest, request, variants, flight, receive)
            }
        } catch let error as BackendError where !hasBegun && error.isOriginUnreachable {
            let plan = policy.fallback(for: request.query, originRequest, among: variants.responses, status: nil, at: now())
            guard case .serve(let index, let content, _) = plan else { throw error }
            return .serve(content, variants.entries[index], CacheStatus(name: name, forward: originRequest.reason, detail: "unreachable"))
        }
    }

    /// A response that arrives from the origin.
    private struct IncomingResponse {
        let head: ResponseHead
        let body: ResponseBody
        let requestTime: Date
        let responseTime: Date
    }

    private func process<Outcome: Sendable>(
        _ incoming: IncomingResponse, _ originRequest: OriginRequest, _ request: CacheableRequest, _ variants: StoredVariants,
        _ flight: CacheFlights.Flight,
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> ForwardResult<Outcome> {
        let (head, query) = (incoming.head, request.query)
        await invalidate(policy.invalidatedURLs(by: head, to: query), request, except: flight)
        await apply(head, of: incoming, to: variants, query)
        let status = CacheStatus(name: name, forward: originRequest.reason, forwardStatus: head.status.code)
        let action = policy.action(
            for: head, to: query, originRequest, among: variants.responses, requestTime: incoming.requestTime, now: incoming.responseTime)
        switch action {
        case .retryUnconditionally: return .retryUnconditionally
        case .serveStale(let index, let content):
            return .serve(content, variants.entries[index], status)
        case .freshen(let index, let response, let answer, let update):
            // The body is read to its end, so that the connection can be reused.
            for try await _ in incoming.body {}
            var entry = StoredVariants.Entry(blob: variants.entries[index].blob, response: response)
            if case .replace(let stored) = update {
                guard let blob = try? await store.setMetadata(stored.metadata, of: entry.blob) else { return .retryUnconditionally }
                entry = StoredVariants.Entry(blob: blob, response: response)
            }
            return .serve(answer, entry, status, removesEntry: update == .remove)
        case .passThrough:
            flights.release(flight)
            let outcome = try await receive(head.withCacheStatus(status), incoming.body)
            if originRequest.selected != nil, supersedesStored(head, for: query) { await removeSuperseded(by: query, in: variants) }
            return .done(outcome)
        case .store(let response):
            return .done(try await storeWhileServing(response, of: incoming, status, request, variants, flight, after: nil, receive))
        case .combine(let index, let reply):
            guard let prefix = await open(.full, from: variants.entries[index], for: query.method) else { return .retryUnconditionally }
            return .done(try await storeWhileServing(reply, of: incoming, status, request, variants, flight, after: prefix, receive))
        }
    }

    /// Forwards a response while it is stored.
    private func storeWhileServing<Outcome: Sendable>(
        _ response: StoredResponse, of incoming: IncomingResponse, _ status: CacheStatus, _ request: CacheableRequest,
        _ variants: StoredVariants,
        _ flight: CacheFlights.Flight, after prefix: OpenedResponse?, _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let key = BlobKey(group: request.group, name: response.name)
        guard let writer = try? await store.write(key, metadata: response.metadata) else {
            flights.release(flight)
            return try await receive(incoming.head.withCacheStatus(status), incoming.body)
        }
        var status = status
        status.isStored = true
        var head = incoming.head
        if prefix != nil { head = ResponseHead(status: .ok, headers: response.headers) }
        let length = head.announcedLength(for: request.query.method)
        let copy = BodyCopy(
            writer: writer, length: length,
            shouldStore: { [flights] length in
                !flights.isInvalidated(flight) && (response.part == nil && prefix == nil || length == response.length)
            },
            onEnd: { [self] isKept in
                if isKept { await evictExcessVariants(for: key, among: variants) }
                flights.release(flight)
            })
        do {
            if length == 0 { try await copy.finish() }
            let body = prefix.map { copy.copying($0.body, then: incoming.body) } ?? copy.copying(incoming.body)
            let outcome = try await receive(head.withCacheStatus(status), body)
            await copy.discard()
            if copy.isRejectedByStore, response.part == nil, prefix == nil { await removeSuperseded(by: request.query, in: variants) }
            return outcome
        } catch {
            await copy.discard()
            throw error
        }
    }

    /// Returns whether a response that is not stored is newer than the stored ones, unless the request forbids storing.
    private func supersedesStored(_ head: ResponseHead, for query: CacheQuery) -> Bool {
        query.method == .get && query.range == nil && (200..<300).contains(head.status.code) && head.status.code != 206
            && policy.permitsStoringResponse(to: query, as: policy.role.control(of: head.headers))
    }

    /// Removes the stored responses to a request that has a newer response which is not stored: they would be served otherwise.
    private func removeSuperseded(by query: CacheQuery, in variants: StoredVariants) async {
        for entry in variants.entries where entry.response.variant.matches(query.headers) { try? await store.remove(entry.blob) }
    }

    /// Removes the oldest variants beyond the limit.
    private func evictExcessVariants(for key: BlobKey, among variants: StoredVariants) async {
        let others = variants.entries.filter { $0.blob.key != key }
        for entry in others.dropFirst(Self.variantLimit - 1) { try? await store.remove(entry.blob) }
        // A complete response supersedes its parts.
        if !key.name.hasPrefix(StoredResponse.partPrefix) {
            for entry in others where entry.blob.key.name == StoredResponse.partPrefix + key.name { try? await store.remove(entry.blob) }
        }
    }

    private func invalidate(_ urls: [URL], _ request: CacheableRequest, except flight: CacheFlights.Flight) async {
        for url in urls {
            let group = request.group(of: url)
            flights.invalidate(group, except: flight)
            try? await store.removeAll(in: group)
        }
    }

    /// Applies a response to HEAD to the stored responses (RFC 9111 §4.3.5).
    private func apply(_ head: ResponseHead, of incoming: IncomingResponse, to variants: StoredVariants, _ query: CacheQuery) async {
        for entry in variants.entries {
            switch policy.effect(of: head, on: entry.response, query, requestTime: incoming.requestTime, now: incoming.responseTime) {
            case .unchanged: break
            case .replace(let response): _ = try? await store.setMetadata(response.metadata, of: entry.blob)
            case .remove: try? await store.remove(entry.blob)
            }
        }
    }
}

extension CacheableRequest {
    /// Returns the group of the responses of another URL in the same partition.
    func group(of url: URL) -> String {
        let address = String(message.url.absoluteString.prefix { $0 != "#" })
        return "\(group.dropLast(address.count))\(url.absoluteString.prefix { $0 != "#" })"
    }
}

extension StoredResponse {
    static let partPrefix = "part "

    /// The name that distinguishes the response from others of the same URL.
    var name: String { part == nil ? variant.name : Self.partPrefix + variant.name }
}

extension ResponseHead {
    func withCacheStatus(_ status: CacheStatus) -> ResponseHead {
        var head = self
        status.add(to: &head.headers)
        return head
    }

    /// Returns the number of bytes that follow; nil when it is known only at the end.
    func announcedLength(for method: HTTPRequest.Method) -> Int? {
        method == .head || status.code == 204 || status.code == 304 ? 0 : bodyLength(for: method)
    }
}

extension BackendError {
    /// Whether the origin did not respond properly, so that a stored response may be served instead (RFC 9111 §4.2.4).
    var isOriginUnreachable: Bool {
        switch self {
        case .unreachable, .timedOut, .interrupted, .malformedResponse, .circuitOpen: true
        case .status, .bodyTooLarge, .overrun, .tooManyRedirects, .policyViolation, .decodingFailed: false
        }
    }
}
