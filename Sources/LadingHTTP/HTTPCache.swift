public import Foundation
public import HTTPTypes
public import LadingCaching
public import LadingOperations
import Timing

/// A cache of HTTP responses (RFC 9111) that serves fresh responses at once, and stale ones after validation by the origin.
///
/// Bodies are written to a `BlobStore` while they are forwarded. Equal requests to the origin wait for the first of them. When the origin is
/// unreachable or fails, a stored response is served instead, unless its header fields forbid that.
///
/// ```swift
/// let cache = HTTPCache(store: MemoryBlobStore(byteLimit: 64 << 20), refreshQueue: queue)
/// let client = BackendClient(executor: executor, cache: cache)
/// ```
///
/// A failing store fails no request: the origin is requested as if nothing were stored.
public final class HTTPCache: Sendable {
    /// The maximum number of stored variants per URL.
    package static let variantLimit = 16
    /// The maximum number of lookups that a request repeats after waiting for another, before it is forwarded on its own.
    static let lookupRetryLimit = 3
    /// The maximum wait for an equal request before each of these lookups.
    static let flightTimeout = Duration.seconds(2)
    /// The time after which a background refresh is given up although its body still arrives.
    static let refreshTimeLimit = Duration.seconds(300)
    /// The number of bytes of a stored body that are read at once.
    static let readSize = 256 << 10

    let store: any BlobStore
    let policy: CachePolicy
    let name: String
    let refreshQueue: BackendQueue?
    let now: @Sendable () -> Date
    let flights: CacheFlightCoordinator
    private let stopwatch: Stopwatch

    /// Creates a cache over a store.
    ///
    /// - Parameters:
    ///   - store: The storage of bodies. A store serves one audience: responses to one user's `Authorization` cannot be distinguished by user.
    ///   - audience: The audience of stored responses: `private` for one user, `shared` for many.
    ///   - targets: The response fields that override `Cache-Control`, by descending precedence (RFC 9213); nil for those of the audience, an empty
    ///     list for none.
    ///   - isDecoded: Whether the executors decode content codings, as those of clients do; a proxy forwards them.
    ///   - defaultLifetime: The lifetime of responses with status 200 that specify none; nil for the heuristic of RFC 9111 §4.2.2.
    ///   - refreshQueue: The queue of background refreshes of stale responses (RFC 5861). Without it they are validated first.
    ///   - clock: The clock that measures the wait for an equal request, and the duration of a background refresh.
    ///   - name: The name of the cache in `Cache-Status`.
    ///   - now: Returns the time of day, which determines the age of responses.
    public init(
        store: any BlobStore, audience: CacheScope = .private, targets: [HTTPField.Name]? = nil, isDecoded: Bool = true,
        defaultLifetime: Duration? = nil, refreshQueue: BackendQueue? = nil, name: String = "Lading",
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.policy = CachePolicy(
            audience: audience, targets: targets, isDecoded: isDecoded, defaultLifetime: defaultLifetime.map { $0 / .seconds(1) })
        self.refreshQueue = refreshQueue
        self.name = CacheStatus.identifier(of: name)
        self.now = now
        stopwatch = Stopwatch(clock)
        flights = CacheFlightCoordinator(timeout: Self.flightTimeout, stopwatch)
    }

    /// Removes the stored responses of a URL. Errors of the store are ignored.
    public nonisolated(nonsending) func removeCachedResponses(for url: URL, partition: String = "") async {
        try? await store.removeAll(in: CacheableRequest.group(of: url, partition: partition))
    }

    /// Serves a message from the cache, or forwards it to an executor. The response to a message with secrets is not stored.
    ///
    /// - Parameters:
    ///   - partition: The owner of the request; stored responses are not shared across partitions.
    ///   - timeLimit: The maximum wait for a response head of the executor.
    ///   - canRefresh: Whether the executor can refresh a stale response in the background.
    ///   - receive: Reads the response; called once.
    /// - Throws: Errors of the executor and of `receive`.
    package nonisolated(nonsending) func exchange<Outcome: Sendable>(
        _ message: RequestMessage, partition: String = "", timeLimit: Duration, canRefresh: Bool = true,
        through executor: any BackendExecutor, receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        guard message.isCacheable else { return try await bypass(message, timeLimit, executor, receive) }
        let request = CacheableRequest(message, partition: partition, timeLimit: timeLimit, executor)
        let arrival = flights.releaseCount
        for attempt in 0...Self.lookupRetryLimit {
            let seenReleases = flights.releaseCount
            let variants = await storedVariants(for: request)
            let plan = policy.plan(
                for: request.query, among: variants.responses, at: now(), canRefresh: canRefresh && refreshQueue != nil)
            let status = CacheStatus(name: name, isHit: true, isCollapsed: attempt > 0)
            if let outcome = try await serve(plan, of: request, among: variants, status, receive) { return outcome }
            guard case .forward(var originRequest) = plan else { continue }
            if message.containsSecrets { originRequest.allowsStorage = false }
            let key = attempt < Self.lookupRetryLimit ? request.flightKey(originRequest) : nil
            guard case .forward(let flight) = try await flights.join(in: request.group, key: key, since: seenReleases, arrival: arrival)
            else { continue }
            defer { flights.end(flight) }
            let exchange = OriginExchange(cache: self, request: request, flight: flight, originRequest: originRequest, variants: variants)
            return try await exchange.perform(receive)
        }
        return try await executor.execute(message, timeLimit: timeLimit, receive: receive)
    }

    /// Serves a message from the cache; throws `CacheMiss` when that needs a request to the origin.
    ///
    /// - Parameters:
    ///   - canRefresh: Whether the message can be sent in the background to refresh a stale response.
    ///   - isOffline: Whether there is no network, so that a stale response is served as when the origin is unreachable.
    func lookup<Outcome: Sendable>(
        _ message: RequestMessage, partition: String, timeLimit: Duration, canRefresh: Bool, isOffline: Bool,
        through executor: any BackendExecutor, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        guard message.isCacheable else { throw CacheMiss() }
        let request = CacheableRequest(message, partition: partition, timeLimit: timeLimit, executor)
        let variants = await storedVariants(for: request)
        var status = CacheStatus(name: name, isHit: true)
        var plan = policy.plan(
            for: request.query, among: variants.responses, at: now(), canRefresh: canRefresh && refreshQueue != nil)
        if isOffline, case .forward(let originRequest) = plan {
            plan = policy.fallback(for: request.query, originRequest, among: variants.responses, status: nil, at: now()) ?? plan
            status.detail = "offline"
        }
        guard let outcome = try await serve(plan, of: request, among: variants, status, receive) else { throw CacheMiss() }
        return outcome
    }

    /// Serves the response of a plan; returns nil when that needs a request to the origin, or the stored response cannot be opened.
    private func serve<Outcome: Sendable>(
        _ plan: CachePlan, of request: CacheableRequest, among variants: StoredVariants, _ status: CacheStatus,
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome? {
        switch plan {
        case .forward: return nil
        case .gatewayTimeout: return try await receive(gatewayTimeoutHead, ResponseBody { nil })
        case .serve(let index, let content, let refresh):
            guard let opened = await open(content, from: variants.entries[index], for: request.message.method) else { return nil }
            if refresh != nil { scheduleRefresh(of: request) }
            return try await receive(opened.head(status, self), opened.body)
        }
    }

    /// Forwards a message without a lookup.
    private func bypass<Outcome: Sendable>(
        _ message: RequestMessage, _ timeLimit: Duration, _ executor: any BackendExecutor,
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        try await executor.execute(message, timeLimit: timeLimit) { head, body in
            let status = CacheStatus(name: name, forward: .bypass, forwardStatus: head.status.code)
            return try await receive(head.withCacheStatus(status), body)
        }
    }

    /// The error of a lookup without a stored response that can be served at once. Interceptors must rethrow it; callers never receive it.
    public struct CacheMiss: Error, CustomStringConvertible {
        public init() {}

        public var description: String { "no stored response" }
    }

    /// Removes all stored responses.
    ///
    /// - Throws: Errors of the store.
    public nonisolated(nonsending) func removeAll() async throws { try await store.removeAll() }

    /// The response to a request that allows only a stored response, when there is none (RFC 9111 §5.2.1.7).
    private var gatewayTimeoutHead: ResponseHead {
        var head = ResponseHead(status: .gatewayTimeout, headers: [.contentLength: "0"])
        CacheStatus(name: name, detail: "only-if-cached").add(to: &head.headers)
        return head
    }

    /// Refreshes a stale response in the background.
    private func scheduleRefresh(of request: CacheableRequest) {
        guard let refreshQueue else { return }
        let request = request.withoutInterimResponses
        let operation = BackendOperation<Void>(
            "refresh \(request.message.url.redacted)",
            key: .action("refresh", on: request.group), lane: .network(request.message.url.authority ?? "")
        ) { [weak self] in
            try await self?.performRefresh(of: request)
        }
        refreshQueue.submit(operation, priority: .background)
    }

    private func performRefresh(of request: CacheableRequest) async throws {
        let seenReleases = flights.releaseCount
        let variants = await storedVariants(for: request)
        guard case .serve(_, _, let refresh?) = policy.plan(for: request.query, among: variants.responses, at: now(), canRefresh: true)
        else { return }
        guard case .forward(let flight) = try await flights.join(in: request.group, key: request.flightKey(refresh), since: seenReleases)
        else { return }
        defer { flights.end(flight) }
        let exchange = OriginExchange(
            cache: self, request: request, flight: flight, originRequest: refresh, variants: variants, isRefresh: true)
        let start = stopwatch.elapsed()
        try await exchange.perform { _, body in
            for try await _ in body where stopwatch.elapsed() - start > Self.refreshTimeLimit {
                throw BackendError.timedOut(request.message.url, after: Self.refreshTimeLimit)
            }
        }
    }
}
