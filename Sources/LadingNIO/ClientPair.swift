#if NIO
    import AsyncHTTPClient
    import LadingHTTP
    import NIOCore
    import NIOPosix

    /// The clients of one address policy: one for small requests, and one for uploads.
    struct ClientPair {
        let client: HTTPClient
        /// The client for uploads, with all connections on one event loop, so that a body can be read in step with it.
        let uploadClient: HTTPClient

        init(
            _ configuration: HTTPClient.Configuration, addressPolicy: AddressPolicy, uploadEventLoop: any EventLoop,
            _ registry: ExchangeRegistry
        ) {
            var configuration = configuration
            ConnectionInitializer(addressPolicy: addressPolicy, registry: registry).install(in: &configuration)
            // Sockets on all platforms: Network.framework, the default on Apple's platforms, has neither these options nor these errors.
            client = HTTPClient(eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: configuration)
            uploadClient = HTTPClient(eventLoopGroupProvider: .shared(uploadEventLoop), configuration: configuration)
        }

        func shutdown() async throws {
            async let isUploaderClosed: Void = uploadClient.shutdown()
            try await client.shutdown()
            try await isUploaderClosed
        }

        /// Starts to close all connections; the clients are retained until they are closed.
        func beginShutdown() {
            client.shutdown { _ in }
            uploadClient.shutdown { _ in }
        }
    }
#endif
