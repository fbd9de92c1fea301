import NIOPosix

/// Runs blocking disk I/O on a thread pool.
enum BlockingIO {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(work)
    }
}
