import Dispatch

/// Threads that may wait for a disk, so that those which run tasks need not.
package struct FileThreadPool: Sendable {
    private let queue = DispatchQueue(label: "lading.files", attributes: .concurrent)

    package init() {}

    /// Runs work that blocks. It is not cut short when the task is cancelled.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
