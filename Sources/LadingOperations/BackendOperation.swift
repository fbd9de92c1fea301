import Synchronization

/// One unit of work with a result: it may depend on others, has a priority while it waits, and can be cancelled.
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
/// Its value is thrown or returned once it has ended: what the work threw, `OperationError.dependencyFailed` when it did not run because a
/// dependency failed, or `CancellationError`.
public final class BackendOperation<Value: Sendable>: Sendable {
    /// What it does, for people: `download order-7.xml`.
    public let name: String
    public let lane: Lane
    public let key: OperationKey?
    let runsAnyway: Bool
    let state: Mutex<State>

    struct State {
        /// What begins when the flight does; taken out then, so that a chain of operations is not kept alive by its end.
        var work: Work?
        var dependencies: [any QueuedOperation]
        var wish: (queue: BackendQueue, id: WishID)?
        var flight: OperationMark?
        var task: Task<Void, Never>?
        var isInterrupted = false
        var result: Result<Value, any Error>?
        var observers: [@Sendable (Result<Value, any Error>) -> Void] = []
    }

    enum Work {
        case value(@Sendable () async throws -> Value)
        /// Names the operation whose result is to be this one's.
        case next(@Sendable () async throws -> BackendOperation<Value>)
    }

    init(
        name: String, key: OperationKey?, lane: Lane, runsAnyway: Bool = false, dependencies: [any QueuedOperation],
        work: Work?
    ) {
        self.name = name
        self.key = key
        self.lane = lane
        self.runsAnyway = runsAnyway
        self.state = Mutex(State(work: work, dependencies: dependencies))
    }
}

// MARK: - Making one

extension BackendOperation {
    /// An operation that depends on nothing.
    public convenience init(
        _ name: String, key: OperationKey? = nil, lane: Lane, work: @escaping @Sendable () async throws -> Value
    ) {
        self.init(name: name, key: key, lane: lane, dependencies: [], work: .value(work))
    }

    /// An operation that begins when another has succeeded, and is handed its value.
    public convenience init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, after input: BackendOperation<Input>,
        work: @escaping @Sendable (Input) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, dependencies: [input],
            work: .value { try await work(try input.endedResult().get()) })
    }

    /// An operation that begins when two others have succeeded, and is handed their values.
    public convenience init<First: Sendable, Second: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, after first: BackendOperation<First>,
        _ second: BackendOperation<Second>, work: @escaping @Sendable (First, Second) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, dependencies: [first, second],
            work: .value { try await work(try first.endedResult().get(), try second.endedResult().get()) })
    }

    /// An operation that begins when all the others have ended, however they ended, and is handed their results in order.
    public convenience init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, afterEndOf inputs: [BackendOperation<Input>],
        work: @escaping @Sendable ([Result<Input, any Error>]) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, runsAnyway: true, dependencies: inputs,
            work: .value { try await work(inputs.map { $0.endedResult() }) })
    }

    /// An operation that, when another has succeeded, names a further one whose result is its own.
    ///
    /// It holds no slot while it waits for that one. This is how work is found out on the way: read an order, then load the items it names.
    public convenience init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, after input: BackendOperation<Input>,
        then next: @escaping @Sendable (Input) async throws -> BackendOperation<Value>
    ) {
        self.init(
            name: name, key: key, lane: lane, dependencies: [input],
            work: .next { try await next(try input.endedResult().get()) })
    }

    /// An operation that has ended already, with a result that was known.
    public convenience init(_ name: String, ended result: Result<Value, any Error>) {
        self.init(name: name, key: nil, lane: .cpu, dependencies: [], work: nil)
        state.withLock { $0.result = result }
    }
}

// MARK: - Using one

extension BackendOperation {
    /// How it ended; nil until then.
    public var result: Result<Value, any Error>? {
        state.withLock { $0.result }
    }

    /// The moment when its flight began: the same for all operations that shared one. Nil before it is submitted.
    public var flightMark: OperationMark? { state.withLock { $0.flight } }

    /// Its value, as soon as it has ended. Whoever waits here does not submit it, and does not cancel it by being cancelled.
    public var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                onResult { continuation.resume(with: $0) }
            }
        }
    }

    /// Calls back exactly once, when it has ended: at once if it has already, otherwise on whichever thread ends it.
    public func onResult(_ observer: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        let result = state.withLock { state in
            if state.result == nil { state.observers.append(observer) }
            return state.result
        }
        if let result { observer(result) }
    }

    /// Takes this wish back. Operations that depend on it are cancelled with it.
    public func cancel() {
        guard let queue = queueOrCancelUnsubmitted() else { return }
        queue.withdraw(self)
    }

    /// Changes how soon it should run; this flows on to what it depends on. Without effect before it is submitted and after it has ended.
    public func prioritize(_ priority: OperationPriority) {
        queue?.prioritize(self, priority)
    }

    private func queueOrCancelUnsubmitted() -> BackendQueue? {
        if let queue { return queue }
        if end(with: .failure(CancellationError())) { announce() }
        return nil
    }

    /// The result of a dependency, which has ended before its dependent begins.
    func endedResult() -> Result<Value, any Error> {
        guard let result else { preconditionFailure("a dependency ends before its dependent begins") }
        return result
    }

    /// Sets the result unless there is one, and says whether it did.
    func end(with result: Result<Value, any Error>) -> Bool {
        state.withLock { state in
            guard state.result == nil else { return false }
            state.result = result
            state.wish = nil
            return true
        }
    }
}
