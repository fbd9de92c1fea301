import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

/// What clients report of hosts that do not answer, and who learns of it.
@Suite(.timeLimit(.minutes(10))) struct ReachabilityMonitorTests {
    private static let url = URL(string: "http://a.org/list")!

    private let clock = ManualClock()
    private let executor = ScriptedExecutor()
    private let monitor: ReachabilityMonitor
    private let client: BackendClient

    init() {
        monitor = ReachabilityMonitor(clock: clock, luck: { 1 })
        client = BackendClient(
            executor: executor, clock: clock, retries: RetryControl(circuit: CircuitLimits(leastCount: 2), clock: clock, random: { 1 }),
            reachability: monitor)
    }

    private func script(_ answer: ScriptedExecutor.Answer) { executor.script(Self.url.absoluteString, answer) }

    private static let noAnswer = ScriptedExecutor.Answer.failure(BackendError.unreachable(url, cause: CocoaError(.fileNoSuchFile)))

    private func request() async -> Result<BackendReply, any Error> {
        do { return .success(try await client.reply(to: RequestMessage(url: Self.url))) } catch { return .failure(error) }
    }

    @Test func `A host that does not answer is probed until it does, and everybody learns of it`() async throws {
        script(Self.noAnswer)
        let changes = [monitor.changes(), monitor.changes()]
        _ = await request()
        #expect(!monitor.isReachable(Self.url))

        let probing = Task { await monitor.run(through: client) }
        _ = await clock.nextTimer()
        script(.reply(status: .notFound))
        clock.advance(by: .seconds(1))

        for change in changes {
            var told: [ReachabilityChange] = []
            for await change in change {
                told.append(change)
                if change.isReachable { break }
            }
            #expect(told.map(\.host) == ["a.org", "a.org"] && told.map(\.isReachable) == [false, true])
        }
        #expect(monitor.isReachable(Self.url))
        #expect(executor.requests.count == 2)
        probing.cancel()
        await probing.value
    }

    @Test func `A response to any other request ends it too, whatever its status`() async throws {
        script(Self.noAnswer)
        _ = await request()
        executor.script("http://a.org/other", .reply(status: .internalServerError))

        _ = try await client.reply(to: RequestMessage(url: URL(string: "http://a.org/other")!))

        #expect(monitor.isReachable(Self.url))
    }

    @Test func `A probe waits for the circuit breaker, and closes it`() async throws {
        script(Self.noAnswer)
        for _ in 0..<2 { _ = await request() }
        guard case .failure(BackendError.circuitOpen) = await request() else {
            Issue.record("the circuit is closed")
            return
        }
        let changes = monitor.changes()
        script(.reply(text: "there"))

        let probing = Task { await monitor.run(through: client) }
        // The circuit is open for two seconds: the first probe, after one, is held back.
        for pause in [1, 2] {
            _ = await clock.nextTimer()
            clock.advance(by: .seconds(pause))
        }
        #expect(await changes.first { $0.isReachable } != nil)

        guard case .success = await request() else {
            Issue.record("the circuit is open")
            return
        }
        probing.cancel()
        await probing.value
    }

    @Test func `While nobody waits nothing is requested`() async throws {
        script(Self.noAnswer)
        _ = await request()

        let probing = Task { await monitor.run(through: client, while: { false }) }
        for _ in 0..<3 {
            _ = await clock.nextTimer()
            clock.advance(by: .seconds(8))
        }
        _ = await clock.nextTimer()

        #expect(executor.requests.count == 1)
        probing.cancel()
        await probing.value
    }

    @Test func `A failure that is noted late is reported again, when it was for want of an answer`() async throws {
        let probing = Task { await monitor.run(through: client) }
        let changes = monitor.changes()

        monitor.noteFailure(BackendError.status(500, Self.url))
        monitor.noteFailure(CancellationError())
        #expect(monitor.isReachable(Self.url))
        monitor.noteFailure(OperationError.dependencyFailed(BackendError.timedOut(Self.url, after: .seconds(1))))
        _ = await clock.nextTimer()
        clock.advance(by: .seconds(1))

        let change = await changes.first { _ in true }
        #expect(change?.host == "a.org" && change?.isReachable == true)
        #expect(executor.requests.isEmpty)
        probing.cancel()
        await probing.value
    }

    @Test func `A response that breaks off is reported after a pause, and its host is reachable all the time`() async throws {
        let probing = Task { await monitor.run(through: client) }
        let changes = monitor.changes()
        script(.broken(after: [[1]], BackendError.interrupted(Self.url, cause: CocoaError(.fileReadUnknown))))

        _ = await request()
        #expect(monitor.isReachable(Self.url))
        _ = await clock.nextTimer()
        clock.advance(by: .seconds(1))

        let change = await changes.first { _ in true }
        #expect(change?.host == "a.org" && change?.isReachable == true)
        #expect(executor.requests.count == 1)
        probing.cancel()
        await probing.value
    }

    @Test func `A status that counts as a failure of the host is reported again after an outage`() async throws {
        script(Self.noAnswer)
        _ = await request()
        script(.reply(text: "there"))
        _ = await request()
        let probing = Task { await monitor.run(through: client) }
        let changes = monitor.changes()

        monitor.noteFailure(BackendError.status(404, Self.url))
        monitor.noteFailure(BackendError.status(503, Self.url))
        #expect(await clock.nextTimer() == clock.now.advanced(by: .seconds(2)))
        clock.advance(by: .seconds(2))

        let change = await changes.first { _ in true }
        #expect(change?.isReachable == true)
        probing.cancel()
        await probing.value
    }
}
