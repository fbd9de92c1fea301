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

    // MARK: Without a network

    @Test(arguments: [
        ("", "max-age=60", true), ("Cache-Control: max-age=9999", "max-age=60", true), ("Cache-Control: max-age=600", "max-age=60", false),
        ("Cache-Control: no-cache", "max-age=60", false), ("", "max-age=60, must-revalidate", false),
        ("", "max-age=60, stale-if-error=10", false),
    ])
    func `While offline a stale response is served if it may be, otherwise the request waits`(line: String, control: String, isServed: Bool)
        async throws
    {
        try await storeStaleResponse("Cache-Control: \(control)")
        let (executor, network) = (ManualTaskExecutor(), ManualConnectivity(.offline))
        let queue = BackendQueue(executor: executor)
        let observation = Task(executorPreference: executor) { await queue.observe(network, servesStale: true) }
        executor.runAll()
        let operation = fixture.client.operation(BackendRequest(url: CacheSamples.url, headers: CacheSamples.fields(line)))

        queue.submit(operation, priority: .visible)
        executor.runAll()
        #expect(try operation.result?.get().text == (isServed ? "one" : nil))
        if isServed { #expect(try operation.result?.get().cacheStatus == "Lading; hit; ttl=-3540; detail=offline") }
        #expect(fixture.executor.requests.count == 1)

        network.setState(.metered)
        executor.runAll()
        #expect(try operation.result?.get().text == (isServed ? "one" : "two"))
        observation.cancel()
    }

    @Test func `A stale response is validated when the network is back`() async throws {
        try await storeStaleResponse("Cache-Control: max-age=60")
        let (executor, network) = (ManualTaskExecutor(), ManualConnectivity(.offline))
        let queue = BackendQueue(executor: executor)
        let observation = Task(executorPreference: executor) { await queue.observe(network, servesStale: true) }
        executor.runAll()
        network.setState(.unmetered)
        executor.runAll()

        let operation = fixture.client.operation(BackendRequest(url: CacheSamples.url))
        queue.submit(operation, priority: .visible)
        executor.runAll()

        #expect(try operation.result?.get().text == "two")
        observation.cancel()
    }

    @Test func `While offline a request with a stale response waits unless stale responses are served`() async throws {
        try await storeStaleResponse("Cache-Control: max-age=60")
        let (executor, network) = (ManualTaskExecutor(), ManualConnectivity(.offline))
        let queue = BackendQueue(executor: executor)
        let observation = Task(executorPreference: executor) { await queue.observe(network) }
        executor.runAll()
        let operation = fixture.client.operation(BackendRequest(url: CacheSamples.url))

        queue.submit(operation, priority: .visible)
        executor.runAll()
        #expect(operation.result == nil)

        network.setState(.unmetered)
        executor.runAll()
        #expect(try operation.result?.get().text == "two")
        observation.cancel()
    }

    @Test func `While the network lanes are only paused, a request with a stale response waits`() async throws {
        try await storeStaleResponse("Cache-Control: max-age=60")

        #expect(resultWhilePaused(fixture.client) == nil)
        #expect(fixture.executor.requests.count == 1)
    }

    @Test func `A request for a stored response alone fails at once without one, and is not retried`() {
        let fixture = HTTPCacheFixture(retries: RetryControl(clock: ManualClock()))

        #expect {
            try resultWhilePaused(fixture.client, "Cache-Control: only-if-cached")?.get()
        } throws: { error in
            if case BackendError.status(504, CacheSamples.url, _) = error { true } else { false }
        }
        #expect(fixture.executor.requests.isEmpty)
    }

    @Test func `A fresh error takes no slot of the host, and is not retried`() async throws {
        let fixture = HTTPCacheFixture(retries: RetryControl(clock: ManualClock()))
        fixture.script(status: 503, "Cache-Control: max-age=60", "closed")
        _ = try await fixture.get()

        #expect {
            try resultWhilePaused(fixture.client)?.get()
        } throws: { error in
            if case BackendError.status(503, _, let response) = error { response.body == Array("closed".utf8) } else { false }
        }
        #expect(fixture.executor.requests.count == 1)
    }

    @Test func `The error of an interceptor does not replace the request`() {
        let client = BackendClient(executor: fixture.executor, interceptors: [RejectingInterceptor()], cache: fixture.cache)

        #expect(resultWhilePaused(client) == nil)
    }

    /// Stores the response `one`, an hour before the origin responds with `two`.
    private func storeStaleResponse(_ line: String) async throws {
        fixture.script(line, "one")
        _ = try await fixture.get()
        fixture.advance(by: 3_600)
        fixture.script(line, "two")
    }

    /// Returns the result of an operation while the network lanes are paused; nil when it waits.
    private func resultWhilePaused(_ client: BackendClient, _ line: String = "") -> Result<BackendResponse, any Error>? {
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        queue.pause(.network)
        let operation = client.operation(BackendRequest(url: CacheSamples.url, headers: CacheSamples.fields(line)))

        queue.submit(operation, priority: .visible)
        executor.runAll()
        defer { queue.cancelAll() }
        return operation.result
    }
}

/// An interceptor that rejects each request before it is sent.
private struct RejectingInterceptor: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        BackendResponse(url: message.url, status: .serviceUnavailable)
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
