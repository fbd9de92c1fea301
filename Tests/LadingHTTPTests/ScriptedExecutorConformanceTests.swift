import Foundation
import LadingHTTP
import LadingTesting
import Testing

@Suite struct ScriptedExecutorConformanceTests {
    private static let conformance = ExecutorConformance { reply in
        let executor = ScriptedExecutor()
        executor.script(reply.url.absoluteString, .response(status: reply.status, headers: reply.headers, body: reply.body))
        return executor
    }

    @Test(arguments: conformance.cases) func `The scripted executor passes the conformance suite`(_ example: ExecutorConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }
}
