import LadingHTTP
import LadingTesting
import Testing

extension URLSessionTests {
    @Suite struct Conformance {
        private static let capabilities: Set<ExecutorConformance.Capability> = {
            #if canImport(FoundationNetworking)
                []
            #else
                [.backPressure, .boundedDecoding, .brokenHeads, .codingErrors, .interimReplies, .trailers, .uploadLengths]
            #endif
        }()

        private static let conformance = ExecutorConformance(capabilities) { silenceLimit, use in
            try await use(URLSessionExecutor(silenceLimit: silenceLimit))
        }

        @Test(arguments: conformance.cases) func `It keeps the contract`(_ example: ExecutorConformance.Case) async throws {
            try await Self.conformance.check(example)
        }
    }
}
