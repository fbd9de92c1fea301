extension BackendOperation {
    /// An operation that depends on nothing.
    public init(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil,
        work: nonisolated(nonsending) @escaping @Sendable () async throws -> Value
    ) {
        self.init(name: name, key: key, lane: lane, rules: rules, dependencies: TinyArray(), work: .value { try await work() })
    }

    /// An operation that begins when another has succeeded, and is handed its value.
    public init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, after input: BackendOperation<Input>,
        work: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, dependencies: [input.erased],
            work: .value { try await work(try input.completedResult().get()) })
    }

    /// An operation that begins when two others have succeeded, and is handed their values.
    public init<First: Sendable, Second: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, after first: BackendOperation<First>,
        _ second: BackendOperation<Second>, work: nonisolated(nonsending) @escaping @Sendable (First, Second) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, dependencies: [first.erased, second.erased],
            work: .value { try await work(try first.completedResult().get(), try second.completedResult().get()) })
    }

    /// An operation that begins when three others have succeeded, and is handed their values.
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

    /// An operation that begins when all the others have succeeded, and is handed their values in order.
    public init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, afterAll inputs: [BackendOperation<Input>],
        work: nonisolated(nonsending) @escaping @Sendable ([Input]) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, dependencies: TinyArray(inputs.map(\.erased)),
            work: .value { try await work(try inputs.map { try $0.completedResult().get() }) })
    }

    /// An operation that begins when all the others have ended, however they ended, and is handed their results in order.
    public init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, afterCompletionOf inputs: [BackendOperation<Input>],
        work: nonisolated(nonsending) @escaping @Sendable ([Result<Input, any Error>]) async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, runsOnFailure: true, dependencies: TinyArray(inputs.map(\.erased)),
            work: .value { try await work(inputs.map { $0.completedResult() }) })
    }

    /// An operation that begins when others, whatever their values, have succeeded; with `evenIfTheyFail`, when they have ended in whichever way.
    public init(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, after others: [AnyOperation],
        runsOnFailure: Bool = false, work: nonisolated(nonsending) @escaping @Sendable () async throws -> Value
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, runsOnFailure: runsOnFailure,
            dependencies: TinyArray(others), work: .value { try await work() })
    }

    /// An operation that, when another has succeeded, names a further one whose result is its own.
    ///
    /// It holds no slot while it waits for that one. This is how work is found out on the way: read an order, then load the items it names.
    public init<Input: Sendable>(
        _ name: String, key: OperationKey? = nil, lane: Lane, rules: OperationRules? = nil, after input: BackendOperation<Input>,
        then next: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> BackendOperation<Value>
    ) {
        self.init(
            name: name, key: key, lane: lane, rules: rules, dependencies: [input.erased],
            work: .next { try await next(try input.completedResult().get()).erased })
    }
}
