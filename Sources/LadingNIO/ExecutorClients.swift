import AsyncHTTPClient
import LadingHTTP
import Logging
import NIOCore
import Synchronization

/// The clients of an executor, shared by its copies. Those that nobody shut down are shut down when the last copy is released.
///
/// AsyncHTTPClient stops a debug build whose client is released without a shutdown.
final class ExecutorClients: Sendable {
    private let anyReach: ClientPair
    private let publicOnly: ClientPair
    private let isShutDown = Atomic(false)
    private let logger: Logger

    init(_ configuration: HTTPClient.Configuration, uploadLoop: any EventLoop, _ interim: InterimObservers, logger: Logger) {
        anyReach = ClientPair(configuration, reach: .any, uploadLoop: uploadLoop, interim)
        publicOnly = ClientPair(configuration, reach: .publicOnly, uploadLoop: uploadLoop, interim)
        self.logger = logger
    }

    deinit {
        guard !isShutDown.load(ordering: .acquiring) else { return }
        logger.warning("An AsyncHTTPClientExecutor was released without shutdown(). Its connections are being closed.")
        anyReach.beginShutdown()
        publicOnly.beginShutdown()
    }

    /// The clients for exchanges of a reach.
    subscript(reach: AddressReach) -> ClientPair {
        switch reach {
        case .any: anyReach
        case .publicOnly: publicOnly
        }
    }

    /// Closes all connections.
    func shutdown() async throws {
        isShutDown.store(true, ordering: .releasing)
        async let arePublicClosed: Void = publicOnly.shutdown()
        try await anyReach.shutdown()
        try await arePublicClosed
    }
}
