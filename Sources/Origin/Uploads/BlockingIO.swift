import NIOPosix

/// Work that waits for a disk, done off the threads that serve.
enum BlockingIO {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(work)
    }
}
