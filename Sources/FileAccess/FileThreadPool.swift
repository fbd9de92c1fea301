import Dispatch

/// Threads for blocking file access, so that the threads that run tasks never wait for a disk.
package struct FileThreadPool: Sendable {
    private let queue = DispatchQueue(label: "lading.files", attributes: .concurrent)

    package init() {}

    /// Runs blocking work. Cancelling the task does not interrupt it.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
