import CrashReports
import Foundation
import LadingCaching
import LadingHTTP
import LadingOperations

/// The components of the client: an executor on real sockets, a client, a queue.
struct Engine: Sendable {
    /// The limits of the circuit breaker: it opens after one page of failed rows, and only briefly, because a user is waiting.
    private static let circuit = CircuitLimits(
        minimumOutcomes: 20, failureRateThreshold: 0.8, openDuration: .seconds(1), openDurationLimit: .seconds(8))

    /// The maximum number of concurrent requests to one host.
    private static let connectionsPerHost = 8

    /// The default read timeout.
    private static let defaultReadTimeout = Duration.seconds(10)

    /// The maximum number of event streams from one host: one for each open page of a signed-in person.
    private static let streamsPerHost = 4_096
    /// The maximum silence of an event stream, in which the server sends a heartbeat every 15 s.
    private static let streamTimeout = Duration.seconds(40)
    /// The maximum number of concurrent uploads to one host: a window forwards those of all phones, some of which take minutes.
    private static let uploadsPerHost = 4_096

    let client: BackendClient
    /// The client of event streams, without retries and recordings.
    let streams: BackendClient
    /// The client with a cache, for images.
    let imageClient: BackendClient
    let queue: BackendQueue
    /// The store of the caches; nil without caches.
    private let cacheStore: (any BlobStore)?

    private init(
        executor: any BackendExecutor, streams: any BackendExecutor, retries: Int, recordLimit: Int, imageStore store: (any BlobStore)?
    ) {
        // With four retries all delays together are below 3 s, and below 7 s if the server requests a second with `Retry-After` each time.
        let policy = RetryPolicy(attempts: retries + 1, base: .milliseconds(300), cap: .seconds(1), retryAfterLimit: .seconds(1))
        self.streams = BackendClient(executor: streams)
        client = BackendClient(
            executor: executor, retries: RetryControl(policy: policy, circuit: Self.circuit), reachability: ReachabilityMonitor())
        queue = BackendQueue(
            lanes: LaneConfiguration(
                network: LaneLimits(width: Self.connectionsPerHost, reserved: 2, minimumWidth: 2),
                processors: ProcessInfo.processInfo.activeProcessorCount), recordLimit: recordLimit)
        imageClient = store.map { [client, queue] in client.caching(in: HTTPCache(store: $0, refreshQueue: queue)) } ?? client
        self.cacheStore = store
    }

    /// Returns a client with a separate cache in the store of the images.
    ///
    /// - Parameter defaultLifetime: The lifetime of responses without an explicit one.
    func cachingClient(defaultLifetime: Duration) -> BackendClient {
        guard let cacheStore else { return client }
        return client.caching(in: HTTPCache(store: cacheStore, defaultLifetime: defaultLifetime, refreshQueue: queue))
    }

    /// Runs a body with an engine, then shuts the engine down.
    ///
    /// - Parameters:
    ///   - retries: The maximum number of retries of a failed request.
    ///   - readTimeout: The read timeout; nil for the default.
    ///   - imageStore: The store for images; nil disables caching.
    ///   - operationRing: A ring buffer of recent operations for crash reports.
    static func with<Outcome>(
        _ options: EngineOptions, retries: Int = RetryOptions.defaultCount, readTimeout: Duration? = nil,
        imageStore: (any BlobStore)? = nil,
        operationRing: OperationRing? = nil,
        _ body: (Engine) async throws -> Outcome
    ) async throws -> Outcome {
        try await withNetwork(readTimeout: readTimeout ?? defaultReadTimeout) { network in
            try await withExecutor(connectionsPerHost: streamsPerHost, readTimeout: streamTimeout) { streams in
                let trace = try options.trace.map { try TraceFile(path: $0) }
                let engine = Engine(
                    executor: try options.recording.executor(over: network), streams: streams, retries: retries,
                    recordLimit: trace == nil ? BackendQueue.recordLimit : TraceFile.recordLimit, imageStore: imageStore)
                if let operationRing { engine.queue.onDecision { operationRing.record($0) } }
                if let trace { return try await trace.recordDecisions(of: engine.queue) { try await engine.run(body) } }
                return try await engine.run(body)
            }
        }
    }

    /// Performs work with an executor whose uploads occupy no connections of other requests.
    private static func withNetwork<Outcome>(
        readTimeout: Duration, _ work: (any BackendExecutor) async throws -> Outcome
    ) async throws -> Outcome {
        try await withExecutor(connectionsPerHost: connectionsPerHost, readTimeout: readTimeout) { network in
            try await withExecutor(connectionsPerHost: uploadsPerHost, readTimeout: readTimeout) { uploads in
                try await work(UploadRouter(network: network, uploads: uploads))
            }
        }
    }

    /// Runs a body, then cancels what it has left in the queue.
    private func run<Outcome>(_ body: (Engine) async throws -> Outcome) async throws -> Outcome {
        defer { queue.cancelAll() }
        return try await body(self)
    }
}
