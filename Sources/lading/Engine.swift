import CrashReports
import Foundation
import LadingCaching
import LadingHTTP
import LadingOperations
import Orders

#if os(Linux)
    import LadingNIO
#endif

/// The client's parts, put together: an executor on real sockets, a client, a queue.
struct Engine: Sendable {
    /// When a host is left alone: it takes a page of rows that all failed, and it is never for long, because somebody is looking.
    private static let circuit = CircuitLimits(minimumOutcomes: 20, failureRateThreshold: 0.8, openDuration: .seconds(1), openDurationLimit: .seconds(8))

    /// How many documents are fetched from one host at once.
    private static let connectionsPerHost = 8

    /// How long a server may be silent before it is given up.
    private static let defaultReadTimeout = Duration.seconds(10)

    let client: BackendClient
    /// The same with a cache, for what looks the same whenever it is loaded.
    let imageClient: BackendClient
    let queue: BackendQueue
    /// The store of the caches; nil for no caches.
    private let cacheStore: (any BlobStore)?

    private init(executor: any BackendExecutor, retries: Int, recordLimit: Int, imageStore store: (any BlobStore)?) {
        // With four retries nothing waits for more than 4 s altogether, whatever the server asks for.
        let policy = RetryPolicy(attempts: retries + 1, base: .milliseconds(300), cap: .seconds(1), retryAfterLimit: .seconds(1))
        client = BackendClient(
            executor: executor, retries: RetryControl(policy: policy, circuit: Self.circuit), reachability: ReachabilityMonitor())
        queue = BackendQueue(
            lanes: LaneConfiguration(
                network: LaneLimits(width: Self.connectionsPerHost, reserved: 2, minimumWidth: 2),
                processors: ProcessInfo.processInfo.activeProcessorCount), recordLimit: recordLimit)
        imageClient = store.map { [client, queue] in client.caching(in: HTTPCache(store: $0, refreshQueue: queue)) } ?? client
        self.cacheStore = store
    }

    /// Returns the client with a cache of its own settings, in the store of the pictures.
    ///
    /// - Parameter defaultLifetime: The lifetime of replies that name none.
    func cachingClient(defaultLifetime: Duration) -> BackendClient {
        guard let cacheStore else { return client }
        return client.caching(in: HTTPCache(store: cacheStore, defaultLifetime: defaultLifetime, refreshQueue: queue))
    }

    /// Runs a body with an engine, and shuts the engine down afterwards however the body ended.
    ///
    /// - Parameters:
    ///   - retries: How often an operation repeats a request that failed.
    ///   - silenceLimit: How long a server may be silent; nil for the usual.
    ///   - pictures: Where pictures are kept; nil keeps none.
    ///   - ring: Where the last operations are written down, for the report should the program crash.
    static func with<Outcome>(
        _ options: EngineOptions, retries: Int = RetryOptions.defaultCount, readTimeout: Duration? = nil, imageStore: (any BlobStore)? = nil,
        operationRing: OperationRing? = nil,
        _ body: (Engine) async throws -> Outcome
    ) async throws -> Outcome {
        // Apple's URLSession knows the proxies and certificates of the device; that of Linux falls over replies that are meant to hurt.
        #if os(Linux)
            let network = AsyncHTTPClientExecutor(connectionsPerHost: connectionsPerHost, readTimeout: readTimeout ?? defaultReadTimeout)
        #else
            let network = URLSessionExecutor(connectionsPerHost: connectionsPerHost, readTimeout: readTimeout ?? defaultReadTimeout)
        #endif
        let result: Result<Outcome, any Error>
        do {
            let trace = try options.trace.map { try TraceFile(path: $0) }
            let engine = Engine(
                executor: try options.recording.executor(over: network), retries: retries,
                recordLimit: trace == nil ? BackendQueue.recordLimit : TraceFile.recordLimit, imageStore: imageStore)
            if let operationRing { engine.queue.onDecision { operationRing.record($0) } }
            func run() async throws -> Outcome {
                defer { engine.queue.cancelAll() }
                return try await body(engine)
            }
            if let trace {
                result = .success(try await trace.recordDecisions(of: engine.queue) { try await run() })
            } else {
                result = .success(try await run())
            }
        } catch {
            result = .failure(error)
        }
        #if os(Linux)
            try? await network.shutdown()
        #endif
        return try result.get()
    }
}
