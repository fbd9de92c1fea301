import Foundation
import HTTPTypes
import LadingCaching

/// An exchange with the origin: sends a request of a flight, applies the response to the stored variants, and serves the client.
///
/// `CachePolicy.action` decides, this type performs. A response that cannot be used, because the stored one has gone or a validation failed, is
/// followed by one unconditional request, whose response is passed on in any case.
struct OriginExchange: Sendable {
    let cache: HTTPCache
    let request: CacheableRequest
    let flight: CacheFlights.Flight
    /// The request as it is sent, with the conditions that validate a stored response.
    let originRequest: OriginRequest
    /// The stored responses that the response may freshen, complete or supersede.
    let variants: StoredVariants
    /// Whether the response serves no client, so that its body is read only while it is stored.
    var isRefresh = false

    /// The result of a request to the origin.
    private enum AttemptResult<Outcome: Sendable>: Sendable {
        case done(Outcome)
        /// A stored response is to be served.
        case serve(ServedContent, StoredVariants.Entry, CacheStatus, removesEntry: Bool = false)
        /// The request is to be sent again as the client sent it.
        case retryWithoutConditions
    }

    /// A response that arrives from the origin.
    private struct IncomingResponse {
        let head: ResponseHead
        let body: ResponseBody
        let requestTime: Date
        let responseTime: Date
    }

    /// Performs the exchange and passes the response, of the origin or stored, to `receive`.
    func perform<Outcome: Sendable>(_ receive: (ResponseHead, ResponseBody) async throws -> Outcome) async throws -> Outcome {
        switch try await attempt(receive) {
        case .done(let outcome): return outcome
        case .serve(let content, let entry, let status, let isLast):
            if let reading = await cache.open(content, from: entry, for: request.query.method) {
                if isLast { try? await cache.store.remove(entry.blob) }
                cache.flights.release(flight)
                return try await receive(reading.head(status, cache), unstored(reading.body))
            }
        case .retryWithoutConditions: break
        }
        return try await unconditional.forward(receive)
    }

    /// The exchange without conditions and stored responses.
    private var unconditional: OriginExchange {
        let originRequest = OriginRequest(
            reason: originRequest.reason, headers: request.message.headers, allowsStorage: originRequest.allowsStorage)
        return OriginExchange(
            cache: cache, request: request, flight: flight, originRequest: originRequest, variants: StoredVariants(), isRefresh: isRefresh)
    }

    /// Returns the body of a response that is not stored, for its client; an empty one for a refresh, which has no client.
    private func unstored(_ body: ResponseBody) -> ResponseBody { isRefresh ? ResponseBody { nil } : body }

    /// Sends the request, and serves its response unless a stored one is to be served.
    private func attempt<Outcome: Sendable>(
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> AttemptResult<Outcome> {
        var isStarted = false
        do {
            return try await send { incoming in
                isStarted = true
                return try await process(incoming, receive)
            }
        } catch let error as BackendError where !isStarted && error.isOriginUnreachable {
            let plan = cache.policy.fallback(for: request.query, originRequest, among: variants.responses, status: nil, at: cache.now())
            guard case .serve(let index, let content, _) = plan else { throw error }
            return .serve(
                content, variants.entries[index], CacheStatus(name: cache.name, forward: originRequest.reason, detail: "unreachable"))
        }
    }

    /// Sends the request, and passes its response on: no stored response can replace it.
    private func forward<Outcome: Sendable>(
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        try await send { incoming in
            await invalidate(cache.policy.invalidatedURLs(by: incoming.head, to: request.query))
            let response = cache.policy.responseToStore(
                incoming.head, request.query, originRequest, incoming.requestTime, incoming.responseTime)
            guard let response else { return try await passThrough(incoming, receive) }
            return try await storeWhileServing(response, of: incoming, after: nil, receive)
        }
    }

    private func send<Outcome: Sendable>(_ receive: (IncomingResponse) async throws -> Outcome) async throws -> Outcome {
        var message = request.message
        message.headers = originRequest.headers
        let requestTime = cache.now()
        return try await request.executor.execute(message, timeLimit: request.timeLimit) { head, body in
            try await receive(IncomingResponse(head: head, body: body, requestTime: requestTime, responseTime: cache.now()))
        }
    }

    private func process<Outcome: Sendable>(
        _ incoming: IncomingResponse, _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> AttemptResult<Outcome> {
        let (head, query) = (incoming.head, request.query)
        await invalidate(cache.policy.invalidatedURLs(by: head, to: query))
        await updateVariants(for: incoming)
        let action = cache.policy.action(
            for: head, to: query, originRequest, among: variants.responses, requestTime: incoming.requestTime, now: incoming.responseTime)
        switch action {
        case .retryWithoutConditions: return .retryWithoutConditions
        case .serveStale(let index, let content):
            return .serve(content, variants.entries[index], status(of: incoming))
        case .freshen(let index, let response, let content, let update):
            // The body is read to its end, so that the connection can be reused.
            for try await _ in incoming.body {}
            var entry = StoredVariants.Entry(blob: variants.entries[index].blob, response: response)
            if case .replace(let stored) = update {
                guard let blob = try? await cache.store.setMetadata(stored.metadata, of: entry.blob) else { return .retryWithoutConditions }
                entry = StoredVariants.Entry(blob: blob, response: response)
            }
            return .serve(content, entry, status(of: incoming), removesEntry: update == .remove)
        case .passThrough:
            return .done(try await passThrough(incoming, receive))
        case .store(let response):
            return .done(try await storeWhileServing(response, of: incoming, after: nil, receive))
        case .combine(let index, let response):
            guard let prefix = await cache.open(.full, from: variants.entries[index], for: query.method) else {
                return .retryWithoutConditions
            }
            return .done(try await storeWhileServing(response, of: incoming, after: prefix, receive))
        }
    }

    private func status(of incoming: IncomingResponse) -> CacheStatus {
        CacheStatus(name: cache.name, forward: originRequest.reason, forwardStatus: incoming.head.status.code)
    }

    /// Serves a response that is not stored, then removes the stored ones that it supersedes.
    private func passThrough<Outcome: Sendable>(
        _ incoming: IncomingResponse, _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        cache.flights.release(flight, isUnstorable: true)
        let outcome = try await receive(incoming.head.withCacheStatus(status(of: incoming)), unstored(incoming.body))
        if originRequest.selected != nil, supersedesStored(incoming.head) { await removeSuperseded() }
        return outcome
    }

    /// Serves a response while it is stored, after the stored part that it completes.
    private func storeWhileServing<Outcome: Sendable>(
        _ response: StoredResponse, of incoming: IncomingResponse, after prefix: HTTPCache.OpenedResponse?,
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let key = BlobKey(group: request.group, name: response.name)
        var status = status(of: incoming)
        guard let writer = try? await cache.store.write(key, metadata: response.metadata) else {
            cache.flights.release(flight, isUnstorable: true)
            return try await receive(incoming.head.withCacheStatus(status), unstored(incoming.body))
        }
        status.isStored = true
        let head = prefix == nil ? incoming.head : ResponseHead(status: .ok, headers: response.headers)
        let length = head.announcedLength(for: request.query.method)
        let copy = BodyCopy(
            writer: writer, length: length, endsWhenRejected: isRefresh,
            shouldStore: { [cache, flight] length in
                !cache.flights.isInvalidated(flight) && (response.part == nil && prefix == nil || length == response.length)
            },
            onEnd: { isStored in
                if isStored { await evictVariants(supersededBy: response, for: key) }
                cache.flights.release(flight)
            })
        do {
            if length == 0 { try await copy.finish() }
            let body = prefix.map { copy.copying($0.body, then: incoming.body) } ?? copy.copying(incoming.body)
            let outcome = try await receive(head.withCacheStatus(status), body)
            await copy.discard()
            if copy.isRejectedByStore, response.part == nil, prefix == nil { await removeSuperseded() }
            return outcome
        } catch {
            await copy.discard()
            throw error
        }
    }

    /// Whether a response that is not stored replaces the stored ones, unless the request forbids storing.
    private func supersedesStored(_ head: ResponseHead) -> Bool {
        let query = request.query
        return query.method == .get && query.range == nil && StatusRules.replacesRepresentation(head.status.code)
            && cache.policy.allowsStoringResponse(to: query, as: cache.policy.role.control(of: head.headers))
    }

    /// Removes the stored responses to a request that has a newer response which is not stored: they would be served otherwise.
    private func removeSuperseded() async {
        for entry in variants.entries where entry.response.variant.matches(request.query.headers) {
            try? await cache.store.remove(entry.blob)
        }
    }

    /// Removes the stored responses that a new one supersedes, and the oldest variants beyond the limit.
    ///
    /// - Parameter key: The key of the new response. Earlier releases named an equal variant differently.
    private func evictVariants(supersededBy response: StoredResponse, for key: BlobKey) async {
        let others = variants.entries.filter { $0.blob.key != key }
        let superseded = others.filter { response.supersedes($0.response) }
        let excess = others.filter { !response.supersedes($0.response) }.dropFirst(HTTPCache.variantLimit - 1)
        for entry in superseded + excess { try? await cache.store.remove(entry.blob) }
    }

    private func invalidate(_ urls: [URL]) async {
        for url in urls {
            let group = request.group(of: url)
            cache.flights.invalidate(group, except: flight)
            try? await cache.store.removeAll(in: group)
        }
    }

    /// Applies a response to HEAD to the stored responses (RFC 9111 §4.3.5).
    private func updateVariants(for incoming: IncomingResponse) async {
        for entry in variants.entries {
            let effect = cache.policy.effect(
                of: incoming.head, on: entry.response, request.query, requestTime: incoming.requestTime, now: incoming.responseTime)
            switch effect {
            case .unchanged: break
            case .replace(let response): _ = try? await cache.store.setMetadata(response.metadata, of: entry.blob)
            case .remove: try? await cache.store.remove(entry.blob)
            }
        }
    }
}

extension StoredResponse {
    private static let partPrefix = "part "

    /// Whether the response was stored for the same requests as an earlier one. A part does not replace a complete response.
    fileprivate func supersedes(_ earlier: StoredResponse) -> Bool {
        variant == earlier.variant && (part == nil || earlier.part != nil)
    }

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
        isBodyless(for: method) ? 0 : bodyLength(for: method)
    }
}

extension BackendError {
    /// Whether the origin did not respond properly, so that a stored response may be served instead (RFC 9111 §4.2.4).
    var isOriginUnreachable: Bool {
        switch self {
        case .unreachable, .timedOut, .interrupted, .malformedResponse, .circuitOpen: true
        case .status, .bodyTooLarge, .bufferLimitExceeded, .tooManyRedirects, .policyViolation, .decodingFailed: false
        }
    }
}
