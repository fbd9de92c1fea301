import Foundation
import LadingOperations
import LadingTesting
import Testing

@testable import LadingHTTP

/// A cache under the operations of a client.
@Suite struct CachedOperationTests {
    private let stage = HTTPCacheStage()

    @Test func `A fresh reply needs no slot of the host`() async throws {
        let gate = Gate()
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()
        stage.script(at: "http://example.org/slow", "", "slow", behind: gate)
        let slow = URL(string: "http://example.org/slow")!
        let busy = BackendQueue(lanes: LanePlan(network: LaneLimits(width: 1)))
        async let held = busy.value(of: stage.client.operation(BackendRequest(url: slow)), priority: .visible)
        await gate.waiting(for: 1)

        let reply = try await busy.value(of: stage.client.operation(BackendRequest(url: Kept.url)), priority: .visible)
        gate.open()
        _ = try await held

        #expect(reply.text == "one")
        let lanes = busy.trace().filter { $0.outcome == .started && $0.operation.hasSuffix("/a") }.map(\.lane)
        #expect(!lanes.isEmpty && lanes.allSatisfy { $0 == .cache })
    }

    @Test func `A reply that is not kept is asked for in the lane of its host, once for all`() async throws {
        let gate = Gate()
        stage.script("", "one", behind: gate)
        let operations = (0..<3).map { _ in stage.client.operation(BackendRequest(url: Kept.url)) }
        for operation in operations { stage.queue.submit(operation, priority: .visible) }
        await gate.waiting(for: 1)
        gate.open()

        for operation in operations { #expect(try await operation.value.text == "one") }
        #expect(stage.executor.requests.count == 1)
    }

    @Test func `A hit passes no circuit breaker`() async throws {
        let circuit = CircuitLimits(leastCount: 1, failureShare: 0.1, pause: .seconds(100), longestPause: .seconds(100))
        let stage = HTTPCacheStage(retries: RetryControl(circuit: circuit, clock: ManualClock()))
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()
        stage.script(at: "http://example.org/b", status: 500, "")
        _ = try await stage.get("", URL(string: "http://example.org/b")!)

        await #expect(throws: BackendError.self) { try await stage.get("", URL(string: "http://example.org/c")!) }
        #expect(try await stage.get() == "one")
    }
}
