public import LadingHTTP
public import Testing

/// Checks an executor against the contract of `BackendExecutor`, case by case, over a server on 127.0.0.1 that can misbehave.
///
/// ```swift
/// @Suite struct MyExecutorTests {
///     private static let conformance = ExecutorConformance([.backPressure]) { silenceLimit, use in
///         let executor = MyExecutor(silenceLimit: silenceLimit)
///         try await use(executor)
///         try await executor.shutdown()
///     }
///
///     @Test(arguments: conformance.cases) func `It keeps the contract`(_ example: ExecutorConformance.Case) async throws {
///         try await Self.conformance.check(example)
///     }
/// }
/// ```
///
/// What a case finds wrong is recorded as an issue of the test that runs it.
public struct ExecutorConformance: Sendable {
    /// What an executor can do beyond what each of them must.
    public enum Capability: Sendable, CaseIterable {
        /// A slow reader slows the sender down: of a long body only a bounded part is under way.
        case backPressure
        /// The address is judged on the connection itself, once it is made, not on one that was looked up beforehand.
        case connectedAddressCheck
        /// A body that swells while its content coding is undone ends when nobody reads on, however fast it comes.
        case boundedDecoding
        /// A reply in a content coding that does not add up is told from one that was interrupted.
        case codingErrors
        /// A connection that ends in the middle of a head is told like any other that breaks.
        case truncatedHeads
        /// A reply is heard although the server has hung up before it was sent the whole body.
        case earlyResponses
        /// Replies with a status of 100–199 are passed over (RFC 9110 §15.2).
        case interimResponses
        /// The body of a message is sent while it is made, and no faster than the server takes it.
        case streamedUploads
        /// Fields after a chunked body are passed over (RFC 9112 §7.1.2).
        case trailers
        /// The server is told the length of a stream that has announced it.
        case uploadLengths
    }

    enum ExecutorSource: Sendable {
        case network(@Sendable (Duration, @escaping (any BackendExecutor) async throws -> Void) async throws -> Void)
        case scripted(@Sendable (BackendResponse) -> any BackendExecutor)
    }

    private let source: ExecutorSource
    private let capabilities: Set<Capability>
    private let caseTimeLimit: Duration

    /// A suite for an executor that asks servers.
    ///
    /// - Parameters:
    ///   - patience: How long a case may take before it counts as failed.
    ///   - withExecutor: Makes an executor with this limit of silence, hands it on, and takes it down.
    public init(
        _ capabilities: Set<Capability> = [], caseTimeLimit: Duration = .seconds(120),
        withExecutor:
            nonisolated(nonsending) @escaping @Sendable (
                _ silenceLimit: Duration, _ use: nonisolated(nonsending) @escaping (any BackendExecutor) async throws -> Void
            ) async throws -> Void
    ) {
        source = .network(withExecutor)
        self.capabilities = capabilities
        self.caseTimeLimit = caseTimeLimit
    }

    /// A suite for an executor that asks nobody; only what needs no socket is checked.
    ///
    /// - Parameter executor: Makes one that answers the URL of this reply with this reply.
    public init(caseTimeLimit: Duration = .seconds(120), scripting executor: @escaping @Sendable (BackendResponse) -> any BackendExecutor) {
        source = .scripted(executor)
        capabilities = []
        self.caseTimeLimit = caseTimeLimit
    }

    /// The cases that concern the executor.
    public var cases: [Case] {
        Case.all.filter { example in
            if case .scripted = source, example.needsNetwork { return false }
            return example.capabilities.isSubset(of: capabilities)
        }
    }

    /// How many cases run at once in a program, whatever suites they belong to: each is allowed a time, and some move tens of megabytes.
    private static let semaphore = AsyncSemaphore(2)

    /// Runs a case, when it is its turn.
    public nonisolated(nonsending) func check(_ testCase: Case, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        await Self.semaphore.wait()
        defer { Self.semaphore.signal() }
        switch source {
        case .scripted(let make):
            try await run(testCase, ExecutorTestContext(scripting: make, sourceLocation))
        case .network(let withExecutor):
            try await withExecutor(testCase.readTimeout) { executor in
                try await run(testCase, ExecutorTestContext(executor, sourceLocation))
            }
        }
    }

    private func run(_ testCase: Case, _ context: ExecutorTestContext) async throws {
        defer { context.stopServers() }
        let work = Task { try await testCase.check(context) }
        let timeout = Task {
            try await Task.sleep(for: caseTimeLimit)
            context.timeOut(after: caseTimeLimit)
            work.cancel()
        }
        defer { timeout.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
        } catch is CancellationError where context.hasTimedOut {
            // It has been told already that the case took too long.
        }
    }
}
