import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing
@testable import Window

/// Recovery of pages after an unreachable server responds, on a manual clock.
@Suite(.timeLimit(.minutes(10))) struct FailureRecoveryTests {
    private let clock = ManualClock()
    private let backend = ScriptedExecutor()
    private let monitor: ReachabilityMonitor
    private let repository: OrderRepository
    private let renderer: PageRenderer
    private let sessions: WindowSessions

    init() throws {
        monitor = ReachabilityMonitor(clock: clock, jitter: { 1 })
        repository = OrderRepository(
            ordersURL: URL(string: "http://a.org/orders.plist")!, itemsURL: URL(string: "http://a.org/items.plist")!,
            client: BackendClient(executor: backend, clock: clock, reachability: monitor), queue: BackendQueue(clock: clock))
        renderer = try PageRenderer(resources: WindowServer.resourceFolder(), version: "1")
        sessions = WindowSessions(clock: ManualClock(), makeID: { UUID().uuidString }, reachability: monitor)
        script(.failure(BackendError.unreachable(URL(string: "http://a.org/orders.plist")!, cause: CocoaError(.fileNoSuchFile))))
        backend.script("http://a.org/1.xml", .response(text: Wire.order(title: "Order 1")))
    }

    private func script(_ answer: ScriptedExecutor.Response) { backend.script("http://a.org/orders.plist", answer) }

    private static var list: ScriptedExecutor.Response { .response(text: Wire.list([("1", "http://a.org/1.xml")])) }

    /// Returns a page whose list could not be fetched.
    private func failedPage() async throws -> (session: WindowSession, screen: OrderListScreen) {
        let contexts = OrderContexts(
            texts: Texts(.english), timeZone: .gmt, mapSource: .server(attribution: "", fingerprint: ""), now: repository.now)
        let screen = OrderListScreen(repository, contexts, renderer, first: 0..<5)
        await until(screen) { $0.controller.list.state == .failed }
        return (try sessions.open(screen, for: nil), screen)
    }

    private func until(_ screen: OrderListScreen, _ condition: (OrderListScreen) -> Bool) async {
        let reader = screen.eventBuffer.registerReader()
        var last = screen.eventBuffer.lastID
        while !condition(screen) {
            guard case .changes(let changes) = await screen.eventBuffer.next(after: last, reader: reader) else { return }
            last = changes.id
        }
    }

    @Test func `A visible page is loaded once its server answers a probe`() async throws {
        let (session, screen) = try await failedPage()
        session.streamChanged(isOpen: true)
        let recovering = Task { await FailureRecovery(client: repository.client, sessions: sessions, prefetch: {}).run() }
        _ = await clock.nextTimer()
        #expect(screen.controller.list.failure != nil)

        script(Self.list)
        clock.advance(by: .seconds(1))

        await until(screen) { $0.controller.list.state == .loaded && $0.controller.list.snapshot.count == 1 }
        #expect(screen.controller.list.failure == nil)
        recovering.cancel()
        await recovering.value
        session.close()
    }

    @Test func `A hidden page sends no probes and is loaded when it becomes visible after a recovery`() async throws {
        let (session, screen) = try await failedPage()
        let recovering = Task { await FailureRecovery(client: repository.client, sessions: sessions, prefetch: {}).run() }
        _ = await clock.nextTimer()
        clock.advance(by: .seconds(1))
        _ = await clock.nextTimer()
        #expect(backend.requests.count == 1)

        script(Self.list)
        _ = try await repository.client.response(to: RequestMessage(url: URL(string: "http://a.org/1.xml")!))
        #expect(screen.controller.list.state == .failed)
        session.streamChanged(isOpen: true)

        await until(screen) { $0.controller.list.state == .loaded && $0.controller.list.snapshot.count == 1 }
        recovering.cancel()
        await recovering.value
        session.close()
    }

    @Test func `A page is loaded once its server stops failing`() async throws {
        let (session, screen) = try await failedPage()
        session.streamChanged(isOpen: true)
        let recovering = Task { await FailureRecovery(client: repository.client, sessions: sessions, prefetch: {}).run() }
        _ = await clock.nextTimer()
        script(.response(status: .badGateway))
        clock.advance(by: .seconds(1))
        await until(screen) { if case .status(502, _, _)? = $0.controller.list.failure?.hostFailure { true } else { false } }

        _ = await clock.nextTimer()
        script(Self.list)
        clock.advance(by: .seconds(2))

        await until(screen) { $0.controller.list.state == .loaded && $0.controller.list.snapshot.count == 1 }
        recovering.cancel()
        await recovering.value
        session.close()
    }

    @Test func `A hidden page whose server failed is loaded when it becomes visible after a recovery`() async throws {
        script(.response(status: .badGateway))
        let (session, screen) = try await failedPage()
        session.streamChanged(isOpen: true)
        #expect(screen.controller.list.state == .failed)
        session.streamChanged(isOpen: false)
        script(Self.list)

        sessions.retryFailures(of: "a.org")
        #expect(screen.controller.list.state == .failed)
        session.streamChanged(isOpen: true)

        await until(screen) { $0.controller.list.state == .loaded && $0.controller.list.snapshot.count == 1 }
        session.close()
    }

    @Test func `A page that becomes visible is retried without waiting for the next probe`() async throws {
        let (session, screen) = try await failedPage()
        let recovering = Task { await FailureRecovery(client: repository.client, sessions: sessions, prefetch: {}).run() }
        _ = await clock.nextTimer()
        clock.advance(by: .seconds(1))
        _ = await clock.nextTimer()
        script(Self.list)

        session.streamChanged(isOpen: true)

        await until(screen) { $0.controller.list.state == .loaded && $0.controller.list.snapshot.count == 1 }
        recovering.cancel()
        await recovering.value
        session.close()
    }
}
