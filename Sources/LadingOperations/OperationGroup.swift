import Synchronization

/// Operations that are cancelled, paused, followed and waited for together.
///
/// ```swift
/// let sync = OperationGroup([categories.erased, notifications.erased])
/// sync.submit(to: queue, .visible)
/// await sync.ended()
/// ```
public final class OperationGroup: Sendable {
    private let members: Mutex<[AnyOperation]>
    /// How far all of them are together, each with the same weight.
    public let progress = OperationProgress()

    /// A group of these operations, in this order.
    public init(_ operations: [AnyOperation] = []) {
        members = Mutex([])
        for operation in operations { add(operation) }
    }

    /// Its members, in the order in which they were added.
    public var operations: [AnyOperation] { members.withLock { $0 } }

    /// Adds an operation, which may have been submitted already, and counts it in the progress.
    public func add(_ operation: AnyOperation) {
        members.withLock { $0.append(operation) }
        progress.add(operation.progress, weight: 100)
    }

    /// Submits each of them on the terms of `BackendQueue.submit`; those added later are not submitted.
    public func submit(to queue: BackendQueue, _ priority: OperationPriority, for consumer: OperationConsumer = .none) {
        for operation in operations { queue.submit(operation, priority: priority, for: consumer) }
    }

    /// Cancels each of them.
    public func cancel() {
        for operation in operations { operation.cancel() }
    }

    /// Pauses each of them.
    public func pause() {
        for operation in operations { operation.pause() }
    }

    /// Resumes each of them.
    public func resume() {
        for operation in operations { operation.resume() }
    }

    /// Waits until all operations that are in the group by now have ended. Does not cancel them when the task is cancelled.
    public nonisolated(nonsending) func waitUntilCompleted() async {
        for operation in operations {
            await withCheckedContinuation { continuation in
                operation.onCompletion { _ in continuation.resume() }
            }
        }
    }
}
