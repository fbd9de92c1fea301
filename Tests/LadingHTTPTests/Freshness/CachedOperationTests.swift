import Foundation
import HTTPTypes
import LadingOperations
import LadingTesting
import Testing

@testable import LadingHTTP

/// Tests of a cache with the operations of a client.
@Suite struct CachedOperationTests {
    private let fixture = HTTPCacheFixture()

    @Test func `A fresh response takes no slot of the host`() async throws {
        let gate = Gate()
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        fixture.script(at: "http://example.org/slow", "", "slow", behind: gate)
        let slow = URL(string: "http://example.org/slow")!
        let busy = BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: 1)))
        async let held = busy.value(of: fixture.client.operation(BackendRequest(url: slow)), priority: .visible)
        await gate.waitForWaiters(count: 1)

        let response = try await busy.value(of: fixture.client.operation(BackendRequest(url: CacheSamples.url)), priority: .visible)
        gate.open()
        _ = try await held

        #expect(response.text == "one")
        let lanes = busy.trace().filter { $0.outcome == .started && $0.operation.hasSuffix("/a") }.map(\.lane)
        #expect(!lanes.isEmpty && lanes.allSatisfy { $0 == .cache })
    }

    @Test func `A response that is not stored is requested once in the lane of its host`() async throws {
        let gate = Gate()
        fixture.script("", "one", behind: gate)
        let operations = (0..<3).map { _ in fixture.client.operation(BackendRequest(url: CacheSamples.url)) }
        for operation in operations { fixture.queue.submit(operation, priority: .visible) }
        await gate.waitForWaiters(count: 1)
        gate.open()

        for operation in operations { #expect(try await operation.value.text == "one") }
        #expect(fixture.executor.requests.count == 1)
    }

    @Test func `A cache hit does not pass the circuit breaker`() async throws {
        let circuit = CircuitLimits(
            minimumOutcomes: 1, failureRateThreshold: 0.1, openDuration: .seconds(100), openDurationLimit: .seconds(100))
        let stage = HTTPCacheFixture(retries: RetryControl(circuit: circuit, clock: ManualClock()))
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()
        stage.script(at: "http://example.org/b", status: 500, "")
        _ = try await stage.get("", URL(string: "http://example.org/b")!)

        await #expect(throws: BackendError.self) { try await stage.get("", URL(string: "http://example.org/c")!) }
        #expect(try await stage.get() == "one")
    }

    @Test func `An interceptor that replaces errors hides neither the server nor a stored response`() async throws {
        fixture.script("Cache-Control: max-age=60", "online")
        let client = BackendClient(executor: fixture.executor, interceptors: [OfflineInterceptor()], cache: fixture.cache)

        for _ in 1...2 {
            let operation = client.operation(BackendRequest(url: CacheSamples.url))
            #expect(try await fixture.queue.value(of: operation, priority: .visible).text == "online")
        }

        #expect(fixture.executor.requests.count == 1)
    }
}

/// An interceptor that responds in place of each error.
private struct OfflineInterceptor: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        do { return try await next(message) } catch {
            return BackendResponse(url: message.url, status: .ok, body: Array("offline".utf8))
        }
    }
}
