import Foundation
import HTTPTypes
import LadingTesting
import Testing

@testable import LadingHTTP

/// What a client does with a control: which hosts it asks, and which retries it grants.
@Suite struct RetryControlTests {
    private let executor = ScriptedExecutor()
    private let clock = ManualClock()
    private let url = URL(string: "http://example.org/orders/list")!
    private let other = URL(string: "http://other.org/orders/list")!
    private var message: RequestMessage { RequestMessage(url: url) }

    private func control(
        policy: RetryPolicy = RetryPolicy(), budget: RetryBudgetLimits = RetryBudgetLimits(), leastCount: Int = 3, hostLimit: Int = 8
    ) -> RetryControl {
        RetryControl(
            policy: policy, budget: budget, circuit: CircuitLimits(leastCount: leastCount, pause: .seconds(2)), hostLimit: hostLimit,
            clock: clock, now: { Date(timeIntervalSince1970: 0) }, random: { 0.5 })
    }

    private func client(_ control: RetryControl) -> BackendClient {
        BackendClient(executor: executor, clock: clock, retries: control)
    }

    /// In which way asking for a URL ended.
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

    @Test func `A host that fails is not asked for a while; then one request finds out whether it works again`() async {
        let client = client(control())
        executor.script(url.absoluteString, .reply(status: 500), .reply(status: 500), .reply(status: 500), .reply(text: "well"))

        for _ in 0..<3 { #expect(await outcome(of: url, client) == "500") }
        #expect(await outcome(of: url, client) == "open for 2.0")
        clock.advance(by: .seconds(1.5))
        #expect(await outcome(of: url, client) == "open for 0.5")
        #expect(executor.requests.count == 3)

        clock.advance(by: .seconds(0.5))
        #expect(await outcome(of: url, client) == "200")
        #expect(await outcome(of: url, client) == "200")
    }

    @Test func `Another host is asked all the while`() async {
        let client = client(control())
        executor.script(url.absoluteString, .reply(status: 503))
        executor.script(other.absoluteString, .reply(text: "well"))

        for _ in 0..<5 { _ = await outcome(of: url, client) }

        #expect(await outcome(of: other, client) == "200")
    }

    @Test(arguments: [
        (ScriptedExecutor.Answer.failure(BackendError.timedOut(URL(filePath: "/"), after: .seconds(1))), true),
        (.failure(BackendError.unreachable(URL(filePath: "/"), cause: CancellationError())), true),
        (.failure(BackendError.malformedReply(URL(filePath: "/"), cause: CancellationError())), true),
        (.broken(after: [[1]], BackendError.interrupted(URL(filePath: "/"), cause: CancellationError())), true),
        (.reply(status: 429), true), (.reply(status: 500), true), (.reply(status: 503), true),
        (.reply(status: 400), false), (.reply(status: 404), false), (.reply(status: 304), false),
        (.reply(headers: [.contentLength: "9000000000"]), false),
        (.failure(CancellationError()), false),
        (.failure(BackendError.refused(URL(filePath: "/"), .privateAddress)), false),
    ])
    func `Only failures of the host count against it`(answer: ScriptedExecutor.Answer, opens: Bool) async {
        let client = client(control())
        executor.script(url.absoluteString, answer)

        for _ in 0..<10 { _ = await outcome(of: url, client) }

        #expect(executor.requests.count == (opens ? 3 : 10))
    }

    @Test func `A host that was out of reach without a network is asked at once when there is one`() async {
        let control = control()
        let client = client(control)
        let failure = ScriptedExecutor.Answer.failure(BackendError.unreachable(url, cause: CancellationError()))
        executor.script(url.absoluteString, failure, failure, failure, .reply(text: "well"))
        let (network, tasks) = (ManualConnectivity(.offline), ManualTaskExecutor())
        let following = Task(executorPreference: tasks) { await control.follow(network) }
        tasks.runAll()
        for _ in 0..<3 { _ = await outcome(of: url, client) }
        #expect(await outcome(of: url, client) == "open for 2.0")

        network.become(.metered)
        tasks.runAll()

        #expect(await outcome(of: url, client) == "200")
        following.cancel()
    }

    @Test func `Who leaves while a host is tried out lets the next one try`() async throws {
        let client = client(control())
        executor.script(url.absoluteString, .reply(status: 500))
        for _ in 0..<3 { _ = await outcome(of: url, client) }
        clock.advance(by: .seconds(2))
        let gate = Gate()
        executor.script(url.absoluteString, .reply(text: "well"), behind: gate)
        let probe = Task { await outcome(of: url, client) }
        await gate.waiting(for: 1)
        #expect(await outcome(of: url, client) == "open for 2.0")

        probe.cancel()
        _ = await probe.value

        gate.open()
        #expect(await outcome(of: url, client) == "200")
    }

    @Test func `A redirect is judged by the host that it leads to`() async {
        let client = client(control())
        executor.script(url.absoluteString, .reply(status: .found, headers: [.location: other.absoluteString]))
        executor.script(other.absoluteString, .reply(status: 500))

        for _ in 0..<5 { _ = await outcome(of: url, client) }

        #expect(executor.requestedURLs.count { $0 == url.absoluteString } == 5)
        #expect(executor.requestedURLs.count { $0 == other.absoluteString } == 3)
    }

    @Test func `Of many hosts only those used last are remembered`() async throws {
        let client = client(control(hostLimit: 2))
        executor.script(url.absoluteString, .reply(status: 500))
        for _ in 0..<3 { _ = await outcome(of: url, client) }
        #expect(await outcome(of: url, client) == "open for 2.0")

        for name in ["a", "b"] { _ = await outcome(of: try #require(URL(string: "http://\(name).org/")), client) }

        #expect(await outcome(of: url, client) == "500")
    }

    // MARK: Retries

    @Test func `What the policy allows is granted while the budget lasts, host by host`() {
        let control = control(budget: RetryBudgetLimits(share: 0, perSecond: 1, capacity: 2))
        let failure = BackendError.status(503, url)

        let granted = (0..<5).map { _ in control.delay(after: failure, attempt: 1, for: message) }

        #expect(granted == [.milliseconds(250), .milliseconds(250), nil, nil, nil])
        #expect(control.delay(after: failure, attempt: 1, for: RequestMessage(url: other)) != nil)
        clock.advance(by: .seconds(1))
        #expect(control.delay(after: failure, attempt: 1, for: message) != nil)
    }

    @Test func `A token that could not be had is paid for by the host that hands tokens out`() {
        let control = control(budget: RetryBudgetLimits(share: 0, perSecond: 0, capacity: 1))
        let failure = BearerTokenInterceptor.Failure(cause: BackendError.timedOut(other, after: .seconds(1)))

        #expect(control.delay(after: failure, attempt: 1, for: message) != nil)
        #expect(control.delay(after: failure, attempt: 1, for: message) == nil)
        #expect(control.delay(after: BackendError.status(503, url), attempt: 1, for: message) != nil)
    }

    @Test func `What the policy does not allow costs nothing`() {
        let control = control(budget: RetryBudgetLimits(share: 0, perSecond: 0, capacity: 1))

        #expect(control.delay(after: BackendError.status(404, url), attempt: 1, for: message) == nil)
        #expect(control.delay(after: BackendError.status(503, url), attempt: 4, for: message) == nil)
        #expect(control.delay(after: BackendError.status(503, url), attempt: 1, for: message) != nil)
    }

    @Test func `Requests that are sent fill the budget; those that an open circuit holds back do not`() async {
        let control = control(budget: RetryBudgetLimits(share: 0.5, perSecond: 0, capacity: 1))
        let client = client(control)
        executor.script(url.absoluteString, .reply(status: 500))
        #expect(control.delay(after: BackendError.status(500, url), attempt: 1, for: message) != nil)

        for _ in 0..<2 { _ = await outcome(of: url, client) }
        #expect(control.delay(after: BackendError.status(500, url), attempt: 1, for: message) == nil)
        _ = await outcome(of: url, client)
        #expect(control.delay(after: BackendError.status(500, url), attempt: 1, for: message) != nil)

        for _ in 0..<20 { _ = await outcome(of: url, client) }
        #expect(control.delay(after: BackendError.status(500, url), attempt: 1, for: message) == nil)
    }

    @Test func `A date that stands alone counts from the time of day that was handed in`() {
        let failure = BackendError.status(503, url, headers: [.retryAfter: "Thu, 01 Jan 1970 00:00:20 GMT"])

        #expect(control().delay(after: failure, attempt: 1, for: message) == .seconds(20.25))
    }
}
