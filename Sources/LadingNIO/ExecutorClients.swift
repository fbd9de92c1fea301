#if NIO
    import AsyncHTTPClient
    import LadingHTTP
    import Logging
    import NIOCore
    import Synchronization

    /// The clients of an executor, shared by its copies, and shut down with the last copy unless `shutdown()` was called.
    ///
    /// AsyncHTTPClient traps in debug builds when a client is released without a shutdown.
    final class ExecutorClients: Sendable {
        private let allAddresses: ClientPair
        private let publicOnly: ClientPair
        private let isShutDown = Atomic(false)
        private let logger: Logger

        init(_ configuration: HTTPClient.Configuration, uploadLoop: any EventLoop, _ registry: ExchangeRegistry, logger: Logger) {
            allAddresses = ClientPair(configuration, addressPolicy: .any, uploadEventLoop: uploadLoop, registry)
            publicOnly = ClientPair(configuration, addressPolicy: .publicOnly, uploadEventLoop: uploadLoop, registry)
            self.logger = logger
        }

        deinit {
            guard !isShutDown.load(ordering: .acquiring) else { return }
            logger.warning("An AsyncHTTPClientExecutor was released without shutdown(). Its connections are being closed.")
            allAddresses.beginShutdown()
            publicOnly.beginShutdown()
        }

        /// The clients for an address policy.
        subscript(reach: AddressPolicy) -> ClientPair {
            switch reach {
            case .any: allAddresses
            case .publicOnly: publicOnly
            }
        }

        /// Closes all connections.
        func shutdown() async throws {
            isShutDown.store(true, ordering: .releasing)
            async let arePublicClosed: Void = publicOnly.shutdown()
            try await allAddresses.shutdown()
            try await arePublicClosed
        }
    }
#endif
