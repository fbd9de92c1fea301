import Dispatch
import Synchronization

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

    /// Runs blocking work that ends early when the task is cancelled.
    ///
    /// - Parameter work: The work. It calls its argument before each step, which throws `CancellationError` once the task is cancelled.
    package func runCancellable<Value: Sendable>(
        _ work: @escaping @Sendable (_ checkCancellation: () throws -> Void) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await run { try work(cancellation.check) }
        } onCancel: {
            cancellation.request()
        }
    }
}

/// The cancellation of blocking work, which runs outside of the cancelled task.
private final class Cancellation: Sendable {
    private let isRequested = Atomic(false)

    func request() { isRequested.store(true, ordering: .relaxed) }

    func check() throws {
        if isRequested.load(ordering: .relaxed) { throw CancellationError() }
    }
}
