import LadingTesting
import Testing

@testable import LadingOperations

/// Tests of the cold start of adaptive lanes, on a manual clock.
@Suite struct ColdLaneTests {
    private let harness = QueueHarness(network: LaneLimits(width: 2, minimumWidth: 1))

    private func operation(_ name: String, _ work: @escaping @Sendable () async throws -> Void = {}) -> BackendOperation<Void> {
        BackendOperation(name, lane: .network("a.org")) { try await work() }
    }

    @Test func `A first request without a response blocks its lane for five seconds`() {
        let gate = Gate()
        let (first, next) = (operation("first") { try await gate.wait() }, operation("next"))
        harness.submit(first)
        harness.submit(next)

        harness.advance(by: .milliseconds(4_999))
        #expect(next.state != .succeeded)
        harness.advance(by: .milliseconds(1))

        #expect(next.state == .succeeded)
        #expect(first.state != .succeeded)
        gate.open()
        harness.executor.runAll()
    }
}
