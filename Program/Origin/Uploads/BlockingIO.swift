import NIOPosix

/// The thread pool for blocking disk I/O.
enum BlockingIO {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(work)
    }
}
