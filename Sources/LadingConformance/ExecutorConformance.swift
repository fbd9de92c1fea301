public import LadingHTTP
public import Testing

/// A suite that checks an executor against the contract of `BackendExecutor`, with a misbehaving server on 127.0.0.1.
///
/// ```swift
/// @Suite struct MyExecutorTests {
///     private static let conformance = ExecutorConformance([.backPressure]) { readTimeout, use in
///         let executor = MyExecutor(readTimeout: readTimeout)
///         try await use(executor)
///         try await executor.shutdown()
///     }
///
///     @Test(arguments: conformance.cases) func `The executor conforms to the contract`(_ example: ExecutorConformance.Case) async throws {
///         try await Self.conformance.check(example)
///     }
/// }
/// ```
///
/// A violation is recorded as an issue of the running test.
public struct ExecutorConformance: Sendable {
    /// An optional capability of an executor.
    public enum Capability: Sendable, CaseIterable {
        /// A slow reader slows the sender down: a bounded part of a long body is in flight.
        case backPressure
        /// A cancelled exchange closes its connection at once, even while the server sends faster than the client reads.
        case immediateCancellation
        /// The address policy is checked on the connected address, not on one resolved before.
        case connectedAddressCheck
        /// Decoding a content coding stops with the reader, so that a decompression bomb cannot fill the memory.
        case boundedDecoding
        /// A corrupt content coding is distinguished from an interrupted connection.
        case codingErrors
        /// A connection that ends within a head is reported as interrupted.
        case truncatedHeads
        /// A response is returned although the server has closed the connection before it received the whole request body.
        case earlyResponses
        /// Responses with a status of 100–199 are ignored (RFC 9110 §15.2).
        case interimResponses
        /// A request body is sent while it is generated, with back pressure from the server.
        case streamedUploads
        /// Trailer fields of a chunked body are ignored (RFC 9112 §7.1.2).
        case trailers
        /// The announced length of a stream is sent to the server.
        case uploadLengths
    }

    enum ExecutorSource: Sendable {
        case network(@Sendable (Duration, @escaping (any BackendExecutor) async throws -> Void) async throws -> Void)
        case scripted(@Sendable (BackendResponse) -> any BackendExecutor)
    }

    private let source: ExecutorSource
    private let capabilities: Set<Capability>
    private let caseTimeLimit: Duration

    /// Creates a suite for an executor with network access.
    ///
    /// - Parameters:
    ///   - caseTimeLimit: The time after which a case fails.
    ///   - withExecutor: Calls its argument with a new executor that has this read timeout, then shuts the executor down.
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

    /// Creates a suite for an executor without network access, with only the cases that need no socket.
    ///
    /// - Parameter executor: Returns an executor that responds to the URL of a response with that response.
    public init(caseTimeLimit: Duration = .seconds(120), scripting executor: @escaping @Sendable (BackendResponse) -> any BackendExecutor) {
        source = .scripted(executor)
        capabilities = []
        self.caseTimeLimit = caseTimeLimit
    }

    /// The cases that apply to the executor.
    public var cases: [Case] {
        Case.all.filter { testCase in
            if case .scripted = source, testCase.needsNetwork { return false }
            return testCase.capabilities.isSubset(of: capabilities)
        }
    }

    /// The limit on concurrent cases of all suites in a process.
    ///
    /// Cases have a time limit, and some transfer tens of megabytes.
    private static let semaphore = AsyncSemaphore(2)

    /// Runs one case, at most two at a time in this process. Violations are recorded as issues at `sourceLocation`.
    ///
    /// - Throws: An error of `withExecutor`, or one that the case did not expect.
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
            // The timeout has been reported already.
        }
    }
}
