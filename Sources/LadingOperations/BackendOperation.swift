/// One unit of work with a result: it may depend on others, has a priority while it waits, and can be cancelled, paused and followed.
///
/// An operation is a wish. Submitted to a `BackendQueue`, it begins a flight, or joins the one that another operation with an equal key has
/// begun, and then shares its result; the work of the operation that began the flight runs once. Cancelling an operation takes back this wish
/// alone: the flight goes on while others want it, and is cancelled down to its task when the last of them leaves.
///
/// ```swift
/// let queue = BackendQueue()
/// let download = BackendOperation("download", lane: .network("example.org")) { try await fetch() }
/// let parse = BackendOperation("parse", lane: .cpu, after: download) { text in text.split(separator: "\n").count }
/// let lines = try await queue.value(of: parse, priority: .visible)
/// ```
///
/// Its value is thrown or returned once it has ended: what the work threw, an `OperationError` when it did not run, or `CancellationError`.
/// This struct refers to the operation: a copy of it is the same operation.
public struct BackendOperation<Value: Sendable>: Hashable, Sendable {
    /// The operation without the type of its value, as groups and lists of dependencies hold it.
    public let erased: AnyOperation

    init(
        name: String, key: OperationKey?, lane: Lane, rules: OperationRules?, runsOnFailure: Bool = false,
        dependencies: TinyArray<AnyOperation>, work: AnyOperation.Work
    ) {
        erased = AnyOperation(
            name: name, lane: lane, attributes: .make(key, Value.self, rules, runsOnFailure: runsOnFailure), dependencies: dependencies, work: work)
    }

    /// An operation that has ended already, with a result that was known.
    public init(_ name: String, result: Result<Value, any Error>) {
        erased = AnyOperation(
            name: name, lane: .cpu, attributes: nil, dependencies: [], work: nil, completion: OperationCompletion(result))
    }
}

// MARK: - Its result

extension BackendOperation {
    /// How it ended; nil until then.
    public var result: Result<Value, any Error>? { erased.result.map(Self.typed) }

    /// Its value, as soon as it has ended. Whoever waits here does not submit it, and does not cancel it by being cancelled.
    public nonisolated(nonsending) var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                onResult { continuation.resume(with: $0) }
            }
        }
    }

    /// Calls back exactly once, when it has ended: at once if it has already, otherwise on whichever thread ends it.
    public func onResult(_ observer: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        erased.onResult { observer(Self.typed($0)) }
    }

    /// Calls back with the value, exactly once, if it succeeds.
    @discardableResult
    public func onSuccess(_ observer: @escaping @Sendable (Value) -> Void) -> Self {
        onResult { if case .success(let value) = $0 { observer(value) } }
        return self
    }

    /// Calls back with the error, exactly once, if it ends without a value; with `CancellationError` when it was cancelled.
    @discardableResult
    public func onFailure(_ observer: @escaping @Sendable (any Error) -> Void) -> Self {
        onResult { if case .failure(let error) = $0 { observer(error) } }
        return self
    }

    private static func typed(_ result: Result<any Sendable, any Error>) -> Result<Value, any Error> {
        result.map { value in
            // Proof: values come from work that returns this type, and flights are shared by type alone.
            value as! Value
        }
    }

    /// The value of a dependency, which has ended before its dependent begins.
    func completedResult() -> Result<Value, any Error> {
        guard let result else { preconditionFailure("a dependency ends before its dependent begins") }
        return result
    }
}

// MARK: - What does not depend on the type of its value

extension BackendOperation {
    /// What it does, for people: `download order-7.xml`.
    public var name: String { erased.name }
    public var lane: Lane { erased.lane }
    public var key: OperationKey? { erased.key }
    public var state: OperationState { erased.state }
    /// Every state it comes into from now on, the present one first; ends with the operation. One who reads slowly misses the oldest.
    public var states: AsyncStream<OperationState> { erased.states }
    /// How far it is. Operations that share a flight share its progress.
    public var progress: OperationProgress { erased.progress }
    /// Why it ended without a value; nil while it has not, and when it succeeded.
    public var failure: (any Error)? { erased.failure }
    /// The moment when its flight began: the same for all operations that shared one. Nil before it is submitted.
    public var flightEpoch: QueueEpoch? { erased.flightEpoch }

    /// Takes this wish back. Operations that depend on it are cancelled with it.
    public func cancel() { erased.cancel() }

    /// Keeps it from starting until it is resumed. Work that has begun goes on, and so does a flight that others want too.
    public func pause() { erased.pause() }

    /// Lets it start again after `pause`. Without effect when it is not paused.
    public func resume() { erased.resume() }

    /// Changes how soon it should run; this flows on to what it depends on. Without effect before it is submitted and after it has ended.
    public func prioritize(_ priority: OperationPriority) { erased.prioritize(priority) }
}
