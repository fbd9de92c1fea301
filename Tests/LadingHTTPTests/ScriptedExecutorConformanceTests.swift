import Foundation
import LadingConformance
import LadingHTTP
import LadingTesting
import Testing

@Suite struct ScriptedExecutorConformanceTests {
    private static let conformance = ExecutorConformance { response in
        let executor = ScriptedExecutor()
        executor.script(response.url.absoluteString, .response(status: response.status, headers: response.headers, body: response.body))
        return executor
    }

    @Test(arguments: conformance.cases) func `The scripted executor passes the conformance suite`(_ example: ExecutorConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }
}
