public import Foundation
public import HTTPTypes
public import LadingCaching
public import LadingOperations

/// Answers requests with replies that were kept, as HTTP has it (RFC 9111): fresh ones at once, stale ones once the origin has confirmed them.
///
/// It keeps bodies in a `BlobStore` while they are handed on, so that nothing waits for the disk twice. Equal requests that have to go to the origin wait for the
/// first of them. Where the origin cannot be reached, or fails, what is kept is handed over instead unless the reply forbids it.
///
/// ```swift
/// let cache = HTTPCache(store: MemoryBlobStore(byteLimit: 64 << 20), refreshQueue: queue)
/// let client = BackendClient(executor: executor, cache: cache)
/// ```
///
/// A store that fails costs no reply: the origin is asked as if nothing were kept.
public final class HTTPCache: Sendable {
    /// The most variants of one URL that are kept.
    public static let variantLimit = 16
    /// How often a request looks again for what another one has brought, before it asks on its own.
    static let lookupRetryLimit = 3
    /// How long it waits for that each time.
    static let flightTimeout = Duration.seconds(2)
    /// How much of a kept body is read at once, in bytes.
    static let readSize = 256 << 10

    let store: any BlobStore
    let policy: CachePolicy
    let name: String
    let refreshQueue: BackendQueue?
    let now: @Sendable () -> Date
    let flights: CacheFlightCoordinator

    /// - Parameters:
    ///   - store: Where it keeps bodies. A store serves one audience: what answered `Authorization` of one user cannot be told apart later.
    ///   - audience: Whose replies it keeps: `private` for one user, `shared` for many.
    ///   - targets: The fields of replies that speak to it before `Cache-Control`, the most telling first (RFC 9213); nil for those of the audience, an empty list for
    ///     none.
    ///   - isDecoded: Whether the executors undo content codings, as those of clients do; a proxy passes them on.
    ///   - defaultLifetime: How long a reply with status 200 is fresh that does not say; nil for a share of the time since its last change (RFC 9111 §4.2.2).
    ///   - queue: Where stale replies are asked for anew behind an answer (RFC 5861), as background work. Without it they are confirmed first.
    ///   - clock: Measures how long a request waits for an equal one.
    ///   - name: What `Cache-Status` calls it.
    ///   - now: The time of day, by which replies age.
    public init(
        store: any BlobStore, audience: CacheAudience = .private, targets: [HTTPField.Name]? = nil, isDecoded: Bool = true,
        defaultLifetime: Duration? = nil, refreshQueue queue: BackendQueue? = nil, name: String = "Lading",
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.policy = CachePolicy(
            audience: audience, targets: targets, isDecoded: isDecoded, defaultLifetime: defaultLifetime.map { $0 / .seconds(1) })
        self.refreshQueue = queue
        self.name = name
        self.now = now
        flights = CacheFlightCoordinator(timeout: Self.flightTimeout, Stopwatch(clock))
    }

    /// Removes what is kept of a URL.
    public nonisolated(nonsending) func removeCachedResponses(for url: URL, partition: String = "") async {
        try? await store.removeAll(in: CacheableRequest.group(of: url, partition: partition))
    }

    /// Hands over the reply to a message, from what is kept or from an executor.
    ///
    /// - Parameters:
    ///   - partition: Whose request it is; what is kept for one is never handed to another.
    ///   - timeLimit: The longest that the head of a reply of the executor may take.
    ///   - receive: Reads the reply; it is called once.
    /// - Throws: What the executor and `receive` throw.
    public nonisolated(nonsending) func exchange<Outcome: Sendable>(
        _ message: RequestMessage, partition: String = "", timeLimit: Duration, through executor: any BackendExecutor,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        guard message.isCacheable else { return try await bypass(message, timeLimit, executor, receive) }
        let request = CacheableRequest(message, partition: partition, timeLimit: timeLimit, executor)
        for attempt in 0...Self.lookupRetryLimit {
            let seenReleases = flights.releaseCount
            let variants = await storedVariants(for: request)
            switch policy.plan(for: request.query, among: variants.responses, at: now(), canRefresh: refreshQueue != nil) {
            case .gatewayTimeout:
                return try await receive(gatewayTimeoutHead, ResponseBody { nil })
            case .serve(let index, let answer, let question):
                guard let opened = await open(answer, from: variants.entries[index], for: message.method) else { continue }
                if question != nil { scheduleRefresh(of: request) }
                var status = CacheStatus(name: name, isHit: true)
                status.isCollapsed = attempt > 0
                return try await receive(opened.head(status, self), opened.body)
            case .forward(let question):
                let key = attempt < Self.lookupRetryLimit ? request.flightKey(question) : nil
                guard case .lead(let flight) = try await flights.join(in: request.group, key: key, since: seenReleases) else { continue }
                defer { flights.end(flight) }
                return try await forward(question, request, variants, flight, receive)
            }
        }
        return try await executor.execute(message, timeLimit: timeLimit, receive: receive)
    }

    /// Hands over the reply to a message if that needs no question to the origin; throws `CacheMiss` otherwise.
    ///
    /// - Parameter canRefresh: Whether the message can be asked behind a stale answer.
    func lookUp<Outcome: Sendable>(
        _ message: RequestMessage, partition: String, timeLimit: Duration, canRefresh: Bool = true,
        through executor: any BackendExecutor, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        guard message.isCacheable else { throw CacheMiss() }
        let request = CacheableRequest(message, partition: partition, timeLimit: timeLimit, executor)
        let variants = await storedVariants(for: request)
        guard
            case .serve(let index, let answer, let question) = policy.plan(
                for: request.query, among: variants.responses, at: now(), canRefresh: canRefresh && refreshQueue != nil),
            let reading = await open(answer, from: variants.entries[index], for: message.method)
        else { throw CacheMiss() }
        if question != nil { scheduleRefresh(of: request) }
        return try await receive(reading.head(CacheStatus(name: name, isHit: true), self), reading.body)
    }

    /// Asks as if there were no cache.
    private func bypass<Outcome: Sendable>(
        _ message: RequestMessage, _ timeLimit: Duration, _ executor: any BackendExecutor,
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        try await executor.execute(message, timeLimit: timeLimit) { head, body in
            let status = CacheStatus(name: name, forward: .bypass, forwardStatus: head.status.code)
            return try await receive(head.withCacheStatus(status), body)
        }
    }

    /// Nothing that is kept answers at once.
    struct CacheMiss: Error {}

    /// Forgets everything.
    public nonisolated(nonsending) func removeAll() async throws { try await store.removeAll() }

    /// What is answered when only something kept would have done, and nothing is (RFC 9111 §5.2.1.7).
    private var gatewayTimeoutHead: ResponseHead {
        var head = ResponseHead(status: .gatewayTimeout, headers: [.contentLength: "0"])
        CacheStatus(name: name, detail: "only-if-cached").add(to: &head.headers)
        return head
    }

    /// Asks for a stale reply anew, behind the answer that was made of it.
    private func scheduleRefresh(of request: CacheableRequest) {
        guard let refreshQueue else { return }
        let request = request.withoutInterimResponses
        let operation = BackendOperation<Void>(
            "refresh \(request.message.url.redacted)",
            key: OperationKey(verb: "refresh", subject: request.group), lane: .network(request.message.url.authority ?? "")
        ) { [weak self] in
            try await self?.performRefresh(of: request)
        }
        refreshQueue.submit(operation, priority: .background)
    }

    private func performRefresh(of request: CacheableRequest) async throws {
        let seenReleases = flights.releaseCount
        let variants = await storedVariants(for: request)
        guard case .serve(_, _, let question?) = policy.plan(for: request.query, among: variants.responses, at: now(), canRefresh: true)
        else { return }
        guard case .lead(let flight) = try await flights.join(in: request.group, key: request.flightKey(question), since: seenReleases)
        else { return }
        defer { flights.end(flight) }
        try await forward(question, request, variants, flight) { _, body in
            for try await _ in body {}
        }
    }
}

extension RequestMessage {
    /// Whether a reply to it may be kept, or have been. What a reply to a body says nobody knows without the body, which can be read only once.
    ///
    /// Replies are kept by URL: a target that the URL spells otherwise may lead to another resource.
    fileprivate var isCacheable: Bool {
        guard [.get, .head].contains(method) else { return true }
        return body.length == 0 && (requestTarget.map { url.absoluteString.hasSuffix($0) } ?? true)
    }
}

/// A request with all that is needed to ask it of an origin.
struct CacheableRequest: Sendable {
    private(set) var message: RequestMessage
    let timeLimit: Duration
    let executor: any BackendExecutor
    let query: CacheQuery
    /// What replies to it are kept under: whose they are, and the URL without its fragment.
    let group: String

    init(_ message: RequestMessage, partition: String, timeLimit: Duration, _ executor: any BackendExecutor) {
        self.message = message
        self.timeLimit = timeLimit
        self.executor = executor
        query = CacheQuery(method: message.method, url: message.url, headers: message.headers)
        group = Self.group(of: message.url, partition: partition)
    }

    /// The same request for nobody who waits: its client has its answer, so that interim responses come too late.
    var withoutInterimResponses: CacheableRequest {
        var request = self
        request.message.onInterimResponse = nil
        return request
    }

    static func group(of url: URL, partition: String) -> String {
        let address = url.absoluteString.prefix { $0 != "#" }
        return partition.isEmpty ? String(address) : "\(partition) \(address)"
    }

    /// Requests with the same key can most likely be answered with the same reply; nil for those that are asked one by one.
    func flightKey(_ originRequest: OriginRequest) -> String? {
        guard message.method == .get, originRequest.isStorable, originRequest.reason != .bypass else { return nil }
        let names: [HTTPField.Name] = [.range, .authorization, .accept, .acceptLanguage, .acceptEncoding, .ifNoneMatch, .ifModifiedSince]
        return ([group] + names.map { message.headers[$0] ?? "" }).joined(separator: "\n")
    }
}
