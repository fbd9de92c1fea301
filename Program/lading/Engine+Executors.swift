import LadingHTTP

#if os(Linux)
    import LadingNIO
#endif

extension Engine {
    /// Performs work with an executor on real sockets, then closes its connections.
    ///
    /// Apple's URLSession supports the proxies and certificates of the device; that of Linux crashes on malicious responses.
    static func withExecutor<Outcome>(
        connectionsPerHost: Int, readTimeout: Duration, _ work: (any BackendExecutor) async throws -> Outcome
    ) async throws -> Outcome {
        #if os(Linux)
            let executor = AsyncHTTPClientExecutor(
                connectionsPerHost: connectionsPerHost, readTimeout: readTimeout, userAgent: "Lading/\(Program.version)")
            return try await withResource(executor, close: { try? await $0.shutdown() }) { try await work($0) }
        #else
            return try await work(URLSessionExecutor(connectionsPerHost: connectionsPerHost, readTimeout: readTimeout))
        #endif
    }
}
