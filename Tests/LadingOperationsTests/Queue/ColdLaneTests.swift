import LadingTesting
import Testing

@testable import LadingOperations

/// Lanes of which nothing is known yet, on a clock.
@Suite struct ColdLaneTests {
    private let pad = QueuePad(network: LaneLimits(width: 2, narrowest: 1))

    private func operation(_ name: String, _ work: @escaping @Sendable () async throws -> Void = {}) -> BackendOperation<Void> {
        BackendOperation(name, lane: .network("a.org")) { try await work() }
    }

    @Test func `A first request without an answer does not hold up its host for long`() {
        let gate = Gate()
        let (first, next) = (operation("first") { try await gate.pass() }, operation("next"))
        pad.submit(first)
        pad.submit(next)

        pad.advance(by: LineGauge.coldLimit - .milliseconds(1))
        #expect(next.state != .succeeded)
        pad.advance(by: .milliseconds(1))

        #expect(next.state == .succeeded)
        #expect(first.state != .succeeded)
        gate.open()
        pad.executor.runAll()
    }
}
