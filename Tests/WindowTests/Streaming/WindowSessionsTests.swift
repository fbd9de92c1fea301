import Foundation
import LadingTesting
import ServerStartup
import Synchronization
import Testing

@testable import Window

/// Sessions of pages and their eviction, on a manual clock.
@Suite struct WindowSessionsTests {
    private let clock = ManualClock()

    private func sessions(limit: Int = 10, perClient: Int = 1_000) -> WindowSessions {
        WindowSessions(limits: PageLimits(total: limit, perClient: perClient), clock: clock, makeID: { UUID().uuidString })
    }

    /// Opens a page whose stream has ended.
    private func openDisconnected(
        in sessions: WindowSessions, for client: ClientAddress? = nil
    ) throws -> (session: WindowSession, screen: StubScreen) {
        let screen = StubScreen()
        let session = try sessions.open(screen, for: client)
        session.streamChanged(isOpen: true)
        session.streamChanged(isOpen: false)
        return (session, screen)
    }

    @Test func `Rendered pages are bounded and the oldest is closed first`() {
        let sessions = sessions()
        let screens = (0...WindowSessions.renderedLimit).map { _ in StubScreen() }

        let ids = screens.map { sessions.openRendered($0).id }

        #expect(screens.map(\.isStopped) == [true] + Array(repeating: false, count: WindowSessions.renderedLimit))
        #expect(sessions[ids[0]] == nil && ids.dropFirst().allSatisfy { sessions[$0] != nil })
    }

    @Test func `A connected page is not evicted by rendered ones`() throws {
        let sessions = sessions()
        let screen = StubScreen()
        let id = sessions.openRendered(screen).id

        #expect(try sessions.connect(id, for: nil)?.id == id)
        for _ in 0...WindowSessions.renderedLimit { _ = sessions.openRendered(StubScreen()) }

        #expect(sessions[id] != nil && !screen.isStopped)
    }

    @Test func `A page that does not connect in time is closed`() throws {
        let sessions = sessions()
        let screen = StubScreen()
        let id = sessions.openRendered(screen).id

        clock.advance(by: .seconds(14))
        sessions.sendHeartbeat()
        #expect(!screen.isStopped)
        clock.advance(by: .seconds(1))
        sessions.sendHeartbeat()

        #expect(screen.isStopped)
        #expect(try sessions.connect(id, for: nil) == nil)
    }

    @Test func `A disconnected page is retained longer`() throws {
        let sessions = sessions()
        let (session, screen) = try openDisconnected(in: sessions)

        clock.advance(by: .seconds(299))
        sessions.sendHeartbeat()
        #expect(sessions[session.id] != nil)
        clock.advance(by: .seconds(1))
        sessions.sendHeartbeat()

        #expect(sessions[session.id] == nil && screen.isStopped)
    }

    @Test func `A connected page is never closed`() throws {
        let sessions = sessions(limit: 1)
        let screen = StubScreen()
        try sessions.open(screen, for: nil).streamChanged(isOpen: true)

        clock.advance(by: .seconds(1_000))
        sessions.sendHeartbeat()

        let another = StubScreen()
        #expect(throws: PageError.tooManyPages) { try sessions.open(another, for: nil) }
        #expect(!screen.isStopped && another.isStopped)
    }

    @Test func `The page disconnected for the longest time is evicted, but none before the connect timeout`() throws {
        let sessions = sessions(limit: 2)
        let first = try openDisconnected(in: sessions)
        clock.advance(by: .seconds(5))
        let second = try openDisconnected(in: sessions)

        clock.advance(by: .seconds(9))
        #expect(throws: PageError.tooManyPages) { try sessions.open(StubScreen(), for: nil) }
        #expect(!first.screen.isStopped && !second.screen.isStopped)
        clock.advance(by: .seconds(1))
        _ = try sessions.open(StubScreen(), for: nil)

        #expect(first.screen.isStopped && !second.screen.isStopped)
    }

    @Test func `A rendered page over the limit connects later`() throws {
        let sessions = sessions(limit: 1)
        _ = try openDisconnected(in: sessions)
        let id = sessions.openRendered(StubScreen()).id

        #expect(throws: PageError.tooManyPages) { try sessions.connect(id, for: nil) }
        clock.advance(by: .seconds(15))

        #expect(try sessions.connect(id, for: nil)?.id == id)
    }

    @Test func `A client over its limit evicts its own pages only`() throws {
        let sessions = sessions(perClient: 2)
        let (greedy, other) = (try #require(ClientAddress("192.0.2.1")), try #require(ClientAddress("192.0.2.2")))
        let otherPage = try openDisconnected(in: sessions, for: other)
        let first = try openDisconnected(in: sessions, for: greedy)
        clock.advance(by: .seconds(5))
        let second = try openDisconnected(in: sessions, for: greedy)

        #expect(throws: PageError.tooManyPages) { try sessions.open(StubScreen(), for: greedy) }
        _ = try sessions.open(StubScreen(), for: other)
        clock.advance(by: .seconds(10))
        _ = try sessions.open(StubScreen(), for: greedy)

        #expect(first.screen.isStopped && !second.screen.isStopped && !otherPage.screen.isStopped)
    }

    @Test func `Closed pages do not count towards the limit of a client`() throws {
        let sessions = sessions(perClient: 1)
        let client = try #require(ClientAddress("192.0.2.1"))
        _ = try openDisconnected(in: sessions, for: client)

        clock.advance(by: .seconds(300))
        sessions.sendHeartbeat()

        #expect(throws: Never.self) {
            _ = try sessions.open(StubScreen(), for: client)
        }
        #expect(throws: PageError.tooManyPages) { try sessions.open(StubScreen(), for: client) }
    }

    @Test func `A stream of a page without a session counts as a page of its client until its permit is released`() throws {
        let sessions = sessions(perClient: 2)
        let client = try #require(ClientAddress("192.0.2.1"))
        let permits = Mutex([try sessions.permitStream(for: client)])
        let page = try openDisconnected(in: sessions, for: client)

        #expect(throws: PageError.tooManyPages) { try sessions.permitStream(for: client) }
        #expect(throws: PageError.tooManyPages) { try sessions.open(StubScreen(), for: client) }
        clock.advance(by: .seconds(15))
        let other = try sessions.permitStream(for: client)
        #expect(page.screen.isStopped)
        #expect(throws: PageError.tooManyPages) { try sessions.permitStream(for: client) }

        permits.withLock { $0 = [] }
        let last = try sessions.permitStream(for: client)
        #expect(throws: PageError.tooManyPages) { try sessions.permitStream(for: client) }
        withExtendedLifetime((other, last)) {}
    }

    @Test func `Streams of pages without a session count towards the limit of all clients`() throws {
        let sessions = sessions(limit: 1)

        let permit = try sessions.permitStream(for: nil)

        #expect(throws: PageError.tooManyPages) { try sessions.permitStream(for: nil) }
        #expect(throws: PageError.tooManyPages) { try sessions.open(StubScreen(), for: nil) }
        withExtendedLifetime(permit) {}
    }

    @Test func `Concurrent connections use the whole limit`() async throws {
        let count = 500
        let sessions = sessions(limit: count)
        for _ in 0..<count { _ = try openDisconnected(in: sessions) }
        clock.advance(by: .seconds(15))

        let opened = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { (try? sessions.open(StubScreen(), for: nil)) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }

        #expect(opened == count)
    }

    @Test func `A stream that ends while the screen is notified of its start leaves the screen hidden`() throws {
        let opened = Mutex<WindowSession?>(nil)
        let screen = StubScreen { opened.withLock { $0.take() }?.streamChanged(isOpen: false) }
        let session = try sessions().open(screen, for: nil)
        opened.withLock { $0 = session }

        session.streamChanged(isOpen: true)

        #expect(screen.visibilities == [true, false])
        session.streamChanged(isOpen: true)
        #expect(screen.visibilities == [true, false, true])
    }

    @Test(arguments: ["1", nil])
    func `A page of a single thing is refreshed by a retry of a row as well`(row: String?) throws {
        let screen = StubScreen()
        let session = try sessions().open(screen, for: nil)

        session.retry(rowNamed: row)

        #expect(screen.refreshCount == 1)
    }
}

/// A screen without content.
private final class StubScreen: WindowScreen {
    let eventBuffer = EventBuffer<Int>()
    private let stopped = Mutex(false)
    private let refreshes = Mutex(0)
    private let notifications = Mutex<[Bool]>([])
    private let onVisible: @Sendable () -> Void

    /// - Parameter onVisible: Called while the screen is notified that its page has a stream.
    init(onVisible: @escaping @Sendable () -> Void = {}) {
        self.onVisible = onVisible
    }

    var isStopped: Bool { stopped.withLock { $0 } }
    var refreshCount: Int { refreshes.withLock { $0 } }
    /// The completed notifications about the stream.
    var visibilities: [Bool] { notifications.withLock { $0 } }

    func invalidateAll() {}
    func events(for changes: ChangeLog<Int>.Changes) -> [WindowEvent] { [] }
    func setVisible(_ isVisible: Bool) {
        if isVisible { onVisible() }
        notifications.withLock { $0.append(isVisible) }
    }
    func refresh() { refreshes.withLock { $0 += 1 } }
    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {}
    func stop() { stopped.withLock { $0 = true } }
}
