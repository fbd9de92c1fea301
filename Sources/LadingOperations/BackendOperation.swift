/// A unit of asynchronous work with a result, dependencies and a priority, which can be cancelled, paused and observed.
///
/// Submitting an operation to a `BackendQueue` begins a flight, or joins the flight of an operation with an equal key. All operations of a flight
/// share its result, and the work of the operation that began it runs once. Cancelling an operation detaches that operation alone: the flight
/// continues while other operations share it, and its task is cancelled with the last of them.
///
/// ```swift
/// let queue = BackendQueue()
/// let download = BackendOperation("download", lane: .network("example.org")) { try await fetch() }
/// let parse = BackendOperation("parse", lane: .cpu, after: download) { text in text.split(separator: "\n").count }
/// let lines = try await queue.value(of: parse, priority: .visible)
/// ```
///
/// The result of a completed operation is the value or error of its work, an `OperationError` when the work did not run, or `CancellationError`.
/// The struct is a reference: a copy is the same operation.
public struct BackendOperation<Value: Sendable>: Hashable, Sendable {
    /// The type-erased operation, for groups and lists of dependencies.
    public let erased: AnyOperation

    init(
        name: String, key: OperationKey?, lane: Lane, rules: OperationRules?, runsOnFailure: Bool = false,
        dependencies: TinyArray<AnyOperation>, work: AnyOperation.Work
    ) {
        erased = AnyOperation(
            name: name, lane: lane, attributes: .make(key, Value.self, rules, runsOnFailure: runsOnFailure), dependencies: dependencies,
            work: work)
    }

    /// Creates an operation that has already completed with a result.
    public init(_ name: String, result: Result<Value, any Error>) {
        erased = AnyOperation(
            name: name, lane: .cpu, attributes: nil, dependencies: [], work: nil, completion: OperationCompletion(result))
    }
}

// MARK: - Result

extension BackendOperation {
    /// The result; nil until the operation has completed.
    public var result: Result<Value, any Error>? { erased.result.map(Self.typed) }

    /// The value, once the operation has completed. Awaiting it does not submit the operation, and cancelling the waiting task does not cancel it.
    ///
    /// - Throws: The error of the work; `OperationError` when it did not run or exceeded its deadline; `CancellationError` when the operation was
    ///   cancelled.
    public nonisolated(nonsending) var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                onResult { continuation.resume(with: $0) }
            }
        }
    }

    /// Calls the observer exactly once with the result: immediately when the operation has completed, otherwise on the thread that completes it.
    public func onResult(_ observer: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        erased.onResult { observer(Self.typed($0)) }
    }

    /// Calls the observer exactly once with the value, if the operation succeeds.
    @discardableResult
    public func onSuccess(_ observer: @escaping @Sendable (Value) -> Void) -> Self {
        onResult { if case .success(let value) = $0 { observer(value) } }
        return self
    }

    /// Calls the observer exactly once with the error, if the operation fails; with `CancellationError` if it is cancelled.
    @discardableResult
    public func onFailure(_ observer: @escaping @Sendable (any Error) -> Void) -> Self {
        onResult { if case .failure(let error) = $0 { observer(error) } }
        return self
    }

    private static func typed(_ result: Result<any Sendable, any Error>) -> Result<Value, any Error> {
        result.map { value in
            // Proof: values come from work that returns this type, and only operations of equal value types share a flight.
            value as! Value
        }
    }

    /// Returns the result of a dependency, which completes before its dependent begins.
    func completedResult() -> Result<Value, any Error> {
        guard let result else { preconditionFailure("the dependency has not completed") }
        return result
    }
}

// MARK: - Type-erased members

extension BackendOperation {
    /// The name for logs and traces: `download order-7.xml`.
    public var name: String { erased.name }
    public var lane: Lane { erased.lane }
    public var key: OperationKey? { erased.key }
    public var state: OperationState { erased.state }
    /// The current state and all later ones; finishes with the operation. A slow reader misses the oldest states.
    public var states: AsyncStream<OperationState> { erased.states }
    /// The progress of the work. Operations of one flight share their progress.
    public var progress: OperationProgress { erased.progress }
    /// The error of a failed or cancelled operation; nil while it is not completed, and when it succeeded.
    public var failure: (any Error)? { erased.failure }

    /// Cancels the operation and all operations that depend on it.
    public func cancel() { erased.cancel() }

    /// Prevents the operation from starting until `resume`. Running work continues, and so does a flight that other operations share.
    public func pause() { erased.pause() }

    /// Allows the operation to start again after `pause`. No effect when it is not paused.
    public func resume() { erased.resume() }

    /// Changes the priority of the operation and its dependencies. No effect before submission and after completion.
    public func prioritize(_ priority: OperationPriority) { erased.prioritize(priority) }
}
