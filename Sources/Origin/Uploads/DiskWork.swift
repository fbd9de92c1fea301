import NIOPosix

/// Work that waits for a disk, done off the threads that serve.
enum DiskWork {
    static func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(work)
    }
}
