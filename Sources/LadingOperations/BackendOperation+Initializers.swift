extension BackendOperation {
    /// Creates an operation without dependencies.
    public init(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil,
        work: nonisolated(nonsending) @escaping @Sendable () async throws -> Value
    ) {
        self.init(name: name, key: key, lane: lane, rules: rules, dependencies: TinyArray(), work: .value { try await work() })
    }

    /// Creates an operation that begins after another has succeeded, and receives its value.
    public init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, after input: BackendOperation<Input>,
        work: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, dependencies: [input.erased],
            work: .value { try await work(try input.completedResult().get()) })
    }

    /// Creates an operation that begins after two others have succeeded, and receives their values.
    public init<First: Sendable, Second: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, after first: BackendOperation<First>,
        _ second: BackendOperation<Second>, work: nonisolated(nonsending) @escaping @Sendable (First, Second) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, dependencies: [first.erased, second.erased],
            work: .value { try await work(try first.completedResult().get(), try second.completedResult().get()) })
    }

    /// Creates an operation that begins after three others have succeeded, and receives their values.
    public init<First: Sendable, Second: Sendable, Third: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, after first: BackendOperation<First>,
        _ second: BackendOperation<Second>, _ third: BackendOperation<Third>,
        work: nonisolated(nonsending) @escaping @Sendable (First, Second, Third) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, dependencies: [first.erased, second.erased, third.erased],
            work: .value {
                try await work(try first.completedResult().get(), try second.completedResult().get(), try third.completedResult().get())
            })
    }

    /// Creates an operation that begins after all inputs have succeeded, and receives their values in order.
    public init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, afterAll inputs: [BackendOperation<Input>],
        work: nonisolated(nonsending) @escaping @Sendable ([Input]) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, dependencies: TinyArray(inputs.map(\.erased)),
            work: .value { try await work(try inputs.map { try $0.completedResult().get() }) })
    }

    /// Creates an operation that begins after all inputs have completed, and receives their results in order.
    public init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil,
        afterCompletionOf inputs: [BackendOperation<Input>],
        work: nonisolated(nonsending) @escaping @Sendable ([Result<Input, any Error>]) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, runsOnFailure: true, dependencies: TinyArray(inputs.map(\.erased)),
            work: .value { try await work(inputs.map { $0.completedResult() }) })
    }

    /// Creates an operation that begins after all others have succeeded; with `runsOnFailure`, after all have completed.
    public init(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, after others: [AnyOperation],
        runsOnFailure: Bool = false, work: nonisolated(nonsending) @escaping @Sendable () async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, runsOnFailure: runsOnFailure,
            dependencies: TinyArray(others), work: .value { try await work() })
    }

    /// Creates an operation that produces another operation from the value of its input, and completes with its result.
    ///
    /// It occupies no slot while it waits for that operation. Use it for work that depends on a value, such as loading the items of an order.
    public init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, after input: BackendOperation<Input>,
        then next: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> BackendOperation<Value>
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, dependencies: [input.erased],
            work: .next { try await next(try input.completedResult().get()).erased })
    }
}
