import Synchronization

/// A group of operations that are submitted, cancelled, paused, observed and awaited together.
///
/// ```swift
/// let sync = OperationGroup([categories.erased, notifications.erased])
/// sync.submit(to: queue)
/// await sync.waitUntilCompleted()
/// ```
public final class OperationGroup: Sendable {
    private let members: Mutex<[AnyOperation]>
    /// The combined progress, in which all operations have the same weight. Its updates do not end with the operations, since others may be added.
    public let progress = OperationProgress()

    /// Creates a group of operations in this order.
    public init(_ operations: [AnyOperation] = []) {
        members = Mutex([])
        for operation in operations { add(operation) }
    }

    /// The operations in the order in which they were added.
    public var operations: [AnyOperation] { members.withLock { $0 } }

    /// Adds an operation, which may already have been submitted, and includes it in the progress.
    public func add(_ operation: AnyOperation) {
        members.withLock { $0.append(operation) }
        progress.add(operation.progress, weight: 100)
    }

    /// Submits every operation as `BackendQueue.submit` does. Operations that are added later are not submitted.
    public func submit(to queue: BackendQueue, priority: OperationPriority = .visible, for consumer: OperationConsumer = .none) {
        for operation in operations { queue.submit(operation, priority: priority, for: consumer) }
    }

    /// Cancels every operation.
    public func cancel() {
        for operation in operations { operation.cancel() }
    }

    /// Pauses every operation.
    public func pause() {
        for operation in operations { operation.pause() }
    }

    /// Resumes every operation.
    public func resume() {
        for operation in operations { operation.resume() }
    }

    /// Waits until all operations that are now in the group have completed. Cancelling the waiting task does not cancel them.
    public nonisolated(nonsending) func waitUntilCompleted() async {
        for operation in operations {
            await withCheckedContinuation { continuation in
                operation.onCompletion { _ in continuation.resume() }
            }
        }
    }
}
