import Foundation
import LadingHTTP
import LadingOperations
import Orders

#if os(Linux)
    import LadingNIO
#endif

/// The client's parts, put together: an executor on real sockets, a client, a queue.
struct Engine: Sendable {
    /// How many documents are fetched from one host at once.
    private static let connectionsPerHost = 8

    let client: BackendClient
    let queue: BackendQueue

    private init(executor: any BackendExecutor) {
        client = BackendClient(executor: executor)
        queue = BackendQueue(
            lanes: LanePlan(
                network: LaneLimits(width: Self.connectionsPerHost, reserved: 2),
                processors: ProcessInfo.processInfo.activeProcessorCount))
    }

    /// Runs a body with an engine, and shuts the engine down afterwards however the body ended.
    static func with<Outcome>(_ recording: RecordingOptions, _ body: (Engine) async throws -> Outcome) async throws -> Outcome {
        // Apple's URLSession knows the proxies and certificates of the device; that of Linux falls over replies that are meant to hurt.
        #if os(Linux)
            let network = AsyncHTTPClientExecutor(connectionsPerHost: connectionsPerHost)
        #else
            let network = URLSessionExecutor(connectionsPerHost: connectionsPerHost)
        #endif
        let result: Result<Outcome, any Error>
        do {
            let engine = Engine(executor: try recording.executor(over: network))
            defer { engine.queue.cancelAll() }
            result = .success(try await body(engine))
        } catch {
            result = .failure(error)
        }
        #if os(Linux)
            try? await network.shutdown()
        #endif
        return try result.get()
    }
}
