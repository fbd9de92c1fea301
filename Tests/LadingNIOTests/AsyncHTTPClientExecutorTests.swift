import LadingHTTP
import LadingNIO
import LadingTesting
import Testing

/// The executor over real sockets, against a server that may do anything.
@Suite struct AsyncHTTPClientExecutorTests {
    private static let conformance = ExecutorConformance(Set(ExecutorConformance.Capability.allCases)) { silenceLimit, use in
        let executor = AsyncHTTPClientExecutor(silenceLimit: silenceLimit)
        do {
            try await use(executor)
            try await executor.shutdown()
        } catch {
            try await executor.shutdown()
            throw error
        }
    }

    @Test(arguments: conformance.cases) func `It keeps the contract`(_ example: ExecutorConformance.Case) async throws {
        try await Self.conformance.check(example)
    }
}
