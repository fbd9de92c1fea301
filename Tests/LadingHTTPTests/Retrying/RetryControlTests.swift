import Foundation
import HTTPTypes
import LadingTesting
import Testing

@testable import LadingHTTP

/// Tests of a client with a retry control: the hosts it sends requests to, and the retries that are granted.
@Suite struct RetryControlTests {
    private let executor = ScriptedExecutor()
    private let clock = ManualClock()
    private let url = URL(string: "http://example.org/orders/list")!
    private let other = URL(string: "http://other.org/orders/list")!
    private var message: RequestMessage { RequestMessage(url: url) }

    private func control(
        policy: RetryPolicy = RetryPolicy(), budget: RetryBudgetLimits = RetryBudgetLimits(), minimumOutcomes: Int = 3, hostLimit: Int = 8
    ) -> RetryControl {
        RetryControl(
            policy: policy, budget: budget, circuit: CircuitLimits(minimumOutcomes: minimumOutcomes, openDuration: .seconds(2)),
            hostLimit: hostLimit,
            clock: clock, now: { Date(timeIntervalSince1970: 0) }, jitter: { 0.5 })
    }

    private func client(_ control: RetryControl) -> BackendClient {
        BackendClient(executor: executor, clock: clock, retries: control)
    }

    /// Returns the result of a request for a URL, as text.
    private func outcome(of url: URL, _ client: BackendClient) async -> String {
        do {
            return "\(try await client.value(of: BackendRequest(url: url)).status.code)"
        } catch BackendError.circuitOpen(_, let pause) {
            return "open for \(pause / .seconds(1))"
        } catch BackendError.status(let status, _, _) {
            return "\(status)"
        } catch {
            return "\(error)"
        }
    }

    // MARK: Circuit

    @Test func `A failing host is not requested for a while, and one probe decides whether it recovered`() async {
        let client = client(control())
        executor.script(url.absoluteString, .response(status: 500), .response(status: 500), .response(status: 500), .response(text: "well"))

        for _ in 0..<3 { #expect(await outcome(of: url, client) == "500") }
        #expect(await outcome(of: url, client) == "open for 2.0")
        clock.advance(by: .seconds(1.5))
        #expect(await outcome(of: url, client) == "open for 0.5")
        #expect(executor.requests.count == 3)

        clock.advance(by: .seconds(0.5))
        #expect(await outcome(of: url, client) == "200")
        #expect(await outcome(of: url, client) == "200")
    }

    @Test func `An open circuit does not affect other hosts`() async {
        let client = client(control())
        executor.script(url.absoluteString, .response(status: 503))
        executor.script(other.absoluteString, .response(text: "well"))

        for _ in 0..<5 { _ = await outcome(of: url, client) }

        #expect(await outcome(of: other, client) == "200")
    }

    @Test(arguments: [
        (ScriptedExecutor.Response.failure(BackendError.timedOut(URL(filePath: "/"), after: .seconds(1))), true),
        (.failure(BackendError.unreachable(URL(filePath: "/"), cause: CancellationError())), true),
        (.failure(BackendError.malformedResponse(URL(filePath: "/"), cause: CancellationError())), true),
        (.truncated(after: [[1]], BackendError.interrupted(URL(filePath: "/"), cause: CancellationError())), true),
        (.response(status: 429), true), (.response(status: 500), true), (.response(status: 503), true),
        (.response(status: 400), false), (.response(status: 404), false), (.response(status: 304), false),
        (.response(headers: [.contentLength: "9000000000"]), false),
        (.failure(CancellationError()), false),
        (.failure(BackendError.policyViolation(URL(filePath: "/"), .privateAddress)), false),
    ])
    func `Only failures of the host are counted`(answer: ScriptedExecutor.Response, opens: Bool) async {
        let client = client(control())
        executor.script(url.absoluteString, answer)

        for _ in 0..<10 { _ = await outcome(of: url, client) }

        #expect(executor.requests.count == (opens ? 3 : 10))
    }

    @Test func `A host that was unreachable while offline is requested at once after a reconnection`() async {
        let control = control()
        let client = client(control)
        let failure = ScriptedExecutor.Response.failure(BackendError.unreachable(url, cause: CancellationError()))
        executor.script(url.absoluteString, failure, failure, failure, .response(text: "well"))
        let (network, tasks) = (ManualConnectivity(.offline), ManualTaskExecutor())
        let following = Task(executorPreference: tasks) { await control.observe(network) }
        tasks.runAll()
        for _ in 0..<3 { _ = await outcome(of: url, client) }
        #expect(await outcome(of: url, client) == "open for 2.0")

        network.setState(.metered)
        tasks.runAll()

        #expect(await outcome(of: url, client) == "200")
        following.cancel()
    }

    @Test func `After a cancelled probe the next request is admitted`() async throws {
        let client = client(control())
        executor.script(url.absoluteString, .response(status: 500))
        for _ in 0..<3 { _ = await outcome(of: url, client) }
        clock.advance(by: .seconds(2))
        let gate = Gate()
        executor.script(url.absoluteString, .response(text: "well"), behind: gate)
        let probe = Task { await outcome(of: url, client) }
        await gate.waitForWaiters(count: 1)
        #expect(await outcome(of: url, client) == "open for 2.0")

        probe.cancel()
        _ = await probe.value

        gate.open()
        #expect(await outcome(of: url, client) == "200")
    }

    @Test func `A redirect is counted for the host that it leads to`() async {
        let client = client(control())
        executor.script(url.absoluteString, .response(status: .found, headers: [.location: other.absoluteString]))
        executor.script(other.absoluteString, .response(status: 500))

        for _ in 0..<5 { _ = await outcome(of: url, client) }

        #expect(executor.requestedURLs.count { $0 == url.absoluteString } == 5)
        #expect(executor.requestedURLs.count { $0 == other.absoluteString } == 3)
    }

    @Test func `Only the most recently used hosts are tracked`() async throws {
        let client = client(control(hostLimit: 2))
        executor.script(url.absoluteString, .response(status: 500))
        for _ in 0..<3 { _ = await outcome(of: url, client) }
        #expect(await outcome(of: url, client) == "open for 2.0")

        for name in ["a", "b"] { _ = await outcome(of: try #require(URL(string: "http://\(name).org/")), client) }

        #expect(await outcome(of: url, client) == "500")
    }

    // MARK: Retries

    @Test func `Retries are granted per host while the budget lasts`() {
        let control = control(budget: RetryBudgetLimits(retryRatio: 0, retriesPerSecond: 1, capacity: 2))
        let failure = BackendError.status(503, url)

        let granted = (0..<5).map { _ in control.delay(after: failure, attempt: 1, for: message) }

        #expect(granted == [.milliseconds(250), .milliseconds(250), nil, nil, nil])
        #expect(control.delay(after: failure, attempt: 1, for: RequestMessage(url: other)) != nil)
        clock.advance(by: .seconds(1))
        #expect(control.delay(after: failure, attempt: 1, for: message) != nil)
    }

    @Test func `A failed token request is charged to the budget of the token server`() {
        let control = control(budget: RetryBudgetLimits(retryRatio: 0, retriesPerSecond: 0, capacity: 1))
        let failure = BearerTokenInterceptor.Failure(cause: BackendError.timedOut(other, after: .seconds(1)))

        #expect(control.delay(after: failure, attempt: 1, for: message) != nil)
        #expect(control.delay(after: failure, attempt: 1, for: message) == nil)
        #expect(control.delay(after: BackendError.status(503, url), attempt: 1, for: message) != nil)
    }

    @Test func `A retry that the policy denies is not charged to the budget`() {
        let control = control(budget: RetryBudgetLimits(retryRatio: 0, retriesPerSecond: 0, capacity: 1))

        #expect(control.delay(after: BackendError.status(404, url), attempt: 1, for: message) == nil)
        #expect(control.delay(after: BackendError.status(503, url), attempt: 4, for: message) == nil)
        #expect(control.delay(after: BackendError.status(503, url), attempt: 1, for: message) != nil)
    }

    @Test func `Sent requests refill the budget, and requests rejected by the circuit breaker do not`() async {
        let control = control(budget: RetryBudgetLimits(retryRatio: 0.5, retriesPerSecond: 0, capacity: 1))
        let client = client(control)
        executor.script(url.absoluteString, .response(status: 500))
        #expect(control.delay(after: BackendError.status(500, url), attempt: 1, for: message) != nil)

        for _ in 0..<2 { _ = await outcome(of: url, client) }
        #expect(control.delay(after: BackendError.status(500, url), attempt: 1, for: message) == nil)
        _ = await outcome(of: url, client)
        #expect(control.delay(after: BackendError.status(500, url), attempt: 1, for: message) != nil)

        for _ in 0..<20 { _ = await outcome(of: url, client) }
        #expect(control.delay(after: BackendError.status(500, url), attempt: 1, for: message) == nil)
    }

    @Test func `A Retry-After date without a Date field is relative to the given time`() {
        let failure = BackendError.status(503, url, headers: [.retryAfter: "Thu, 01 Jan 1970 00:00:20 GMT"])

        #expect(control().delay(after: failure, attempt: 1, for: message) == .seconds(20.25))
    }
}
