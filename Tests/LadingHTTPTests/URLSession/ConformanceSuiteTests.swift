import LadingConformance
import LadingHTTP
import LadingTesting
import Testing

extension URLSessionTests {
    /// Tests of the conformance suite itself.
    @Suite struct ConformanceSuiteTests {
        @Test(arguments: FaultyExecutor.Fault.allCases) func `The suite detects each fault`(fault: FaultyExecutor.Fault) async throws {
            let conformance = ExecutorConformance(caseTimeLimit: .seconds(2)) { readTimeout, use in
                try await use(FaultyExecutor(fault: fault, executor: URLSessionExecutor(readTimeout: readTimeout)))
            }
            let example = try #require(conformance.cases.first { $0.name == fault.rawValue })

            await withKnownIssue { try await conformance.check(example) }
        }

        @Test func `Cases that need a missing capability are omitted`() {
            let modest = ExecutorConformance { _, _ in }
            let capable = ExecutorConformance(Set(ExecutorConformance.Capability.allCases)) { _, _ in }
            let scripted = ExecutorConformance { _ in ScriptedExecutor() }

            let names = (
                modest: Set(modest.cases.map(\.name)), capable: Set(capable.cases.map(\.name)), scripted: Set(scripted.cases.map(\.name))
            )
            #expect(names.modest.isStrictSubset(of: names.capable))
            #expect(names.scripted.isStrictSubset(of: names.modest))
            #expect(names.capable.count == capable.cases.count)
        }
    }
}
