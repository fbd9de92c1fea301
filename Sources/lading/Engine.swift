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
    private let closeConnections: @Sendable () async -> Void

    private init() {
        // Apple's URLSession knows the proxies and certificates of the device; that of Linux falls over replies that are meant to hurt.
        #if os(Linux)
            let executor = AsyncHTTPClientExecutor(connectionsPerHost: Self.connectionsPerHost)
            closeConnections = { try? await executor.shutdown() }
        #else
            let executor = URLSessionExecutor(connectionsPerHost: Self.connectionsPerHost)
            closeConnections = {}
        #endif
        client = BackendClient(executor: executor)
        queue = BackendQueue(
            lanes: LanePlan(
                network: LaneLimits(width: Self.connectionsPerHost, reserved: 2),
                processors: ProcessInfo.processInfo.activeProcessorCount))
    }

    /// Runs a body with an engine, and shuts the engine down afterwards however the body ended.
    static func with<Outcome>(_ body: (Engine) async throws -> Outcome) async throws -> Outcome {
        let engine = Engine()
        do {
            let outcome = try await body(engine)
            await engine.shutdown()
            return outcome
        } catch {
            await engine.shutdown()
            throw error
        }
    }

    private func shutdown() async {
        queue.cancelAll()
        await closeConnections()
    }
}
