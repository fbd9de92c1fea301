import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

/// Tests of the reports of clients about unresponsive hosts, and of the notification of observers.
@Suite(.timeLimit(.minutes(10))) struct ReachabilityMonitorTests {
    private static let url = URL(string: "http://a.org/list")!

    private let clock = ManualClock()
    private let executor = ScriptedExecutor()
    private let monitor: ReachabilityMonitor
    private let client: BackendClient

    init() {
        monitor = ReachabilityMonitor(clock: clock, jitter: { 1 })
        client = BackendClient(
            executor: executor, clock: clock,
            retries: RetryControl(circuit: CircuitLimits(minimumOutcomes: 2), clock: clock, jitter: { 1 }),
            reachability: monitor)
    }

    private func script(_ content: ScriptedExecutor.Response) { executor.script(Self.url.absoluteString, content) }

    private static let noResponse = ScriptedExecutor.Response.failure(BackendError.unreachable(url, cause: CocoaError(.fileNoSuchFile)))

    private func request() async -> Result<BackendResponse, any Error> {
        do { return .success(try await client.response(to: RequestMessage(url: Self.url))) } catch { return .failure(error) }
    }

    @Test func `A host that does not respond is probed until it does, and every observer is notified`() async throws {
        script(Self.noResponse)
        let changes = [monitor.changes(), monitor.changes()]
        _ = await request()
        #expect(!monitor.isReachable(Self.url))

        let probing = Task { await monitor.run(through: client) }
        _ = await clock.nextTimer()
        script(.response(status: .notFound))
        clock.advance(by: .seconds(1))

        for change in changes {
            var received: [ReachabilityChange] = []
            for await change in change {
                received.append(change)
                if change.isReachable { break }
            }
            #expect(received.map(\.host) == ["a.org", "a.org"] && received.map(\.isReachable) == [false, true])
        }
        #expect(monitor.isReachable(Self.url))
        #expect(executor.requests.count == 2)
        probing.cancel()
        await probing.value
    }

    @Test func `The changes end when the monitor is deallocated`() async throws {
        var other: ReachabilityMonitor? = ReachabilityMonitor(clock: clock)
        let changes = try #require(other?.changes())
        let reader = Task { for await _ in changes {} }

        other = nil

        await reader.value
    }

    @Test func `A response to any other request ends the outage, whatever its status`() async throws {
        script(Self.noResponse)
        _ = await request()
        executor.script("http://a.org/other", .response(status: .internalServerError))

        _ = try await client.response(to: RequestMessage(url: URL(string: "http://a.org/other")!))

        #expect(monitor.isReachable(Self.url))
    }

    @Test func `A probe waits for the circuit breaker, and closes it`() async throws {
        script(Self.noResponse)
        for _ in 0..<2 { _ = await request() }
        guard case .failure(BackendError.circuitOpen) = await request() else {
            Issue.record("the circuit is closed")
            return
        }
        let changes = monitor.changes()
        script(.response(text: "there"))

        let probing = Task { await monitor.run(through: client) }
        // The circuit is open for two seconds: it rejects the first probe, after one second.
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

    @Test func `No probe is sent while no consumer waits for the host`() async throws {
        script(Self.noResponse)
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

    @Test func `A failure reported after the fact notifies observers again if the host had not responded`() async throws {
        let probing = Task { await monitor.run(through: client) }
        let changes = monitor.changes()

        monitor.reportFailure(BackendError.status(500, Self.url))
        monitor.reportFailure(CancellationError())
        #expect(monitor.isReachable(Self.url))
        monitor.reportFailure(OperationError.dependencyFailed(BackendError.timedOut(Self.url, after: .seconds(1))))
        _ = await clock.nextTimer()
        clock.advance(by: .seconds(1))

        let change = await changes.first { _ in true }
        #expect(change?.host == "a.org" && change?.isReachable == true)
        #expect(executor.requests.isEmpty)
        probing.cancel()
        await probing.value
    }

    @Test func `An interrupted response is reported after a delay, while its host stays reachable`() async throws {
        let probing = Task { await monitor.run(through: client) }
        let changes = monitor.changes()
        script(.truncated(after: [[1]], BackendError.interrupted(Self.url, cause: CocoaError(.fileReadUnknown))))

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

    @Test func `A 503 is reported again after an outage`() async throws {
        script(Self.noResponse)
        _ = await request()
        script(.response(text: "there"))
        _ = await request()
        let probing = Task { await monitor.run(through: client) }
        let changes = monitor.changes()

        monitor.reportFailure(BackendError.status(404, Self.url))
        monitor.reportFailure(BackendError.status(503, Self.url))
        #expect(await clock.nextTimer() == clock.now.advanced(by: .seconds(2)))
        clock.advance(by: .seconds(2))

        let change = await changes.first { _ in true }
        #expect(change?.isReachable == true)
        probing.cancel()
        await probing.value
    }
}
