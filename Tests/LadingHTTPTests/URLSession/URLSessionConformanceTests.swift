import LadingConformance
import LadingHTTP
import Testing

extension URLSessionTests {
    @Suite struct Conformance {
        private static let capabilities: Set<ExecutorConformance.Capability> = {
            #if canImport(FoundationNetworking)
                []
            #else
                [
                    .backPressure, .immediateCancellation, .boundedDecoding, .truncatedHeads, .codingErrors, .interimResponses,
                    .trailers,
                    .uploadLengths,
                ]
            #endif
        }()

        private static let conformance = ExecutorConformance(capabilities) { readTimeout, use in
            try await use(URLSessionExecutor(readTimeout: readTimeout))
        }

        @Test(arguments: conformance.cases) func `The executor passes the conformance suite`(_ example: ExecutorConformance.Case)
            async throws
        {
            try await Self.conformance.check(example)
        }
    }
}
