import Foundation
import LadingTesting
import ServerStartup
import Synchronization
import Testing

@testable import Window

/// Which pages have a session, and which one makes room for another, on a manual clock.
@Suite struct WindowSessionsTests {
    private let clock = ManualClock()

    private func sessions(limit: Int = 10, perClient: Int = 1_000) -> WindowSessions {
        WindowSessions(limits: PageLimits(total: limit, perClient: perClient), clock: clock, makeID: { UUID().uuidString })
    }

    /// A page that had a stream and has none any more.
    private func openSilent(
        in sessions: WindowSessions, for client: ClientAddress? = nil
    ) throws -> (session: WindowSession, screen: SilentScreen) {
        let screen = SilentScreen()
        let session = try sessions.open(screen, for: client)
        session.streamChanged(isOpen: true)
        session.streamChanged(isOpen: false)
        return (session, screen)
    }

    @Test func `Rendered pages that do not connect are few, and the oldest is closed first`() {
        let sessions = sessions()
        let screens = (0...WindowSessions.renderedLimit).map { _ in SilentScreen() }

        let ids = screens.map { sessions.openRendered($0).id }

        #expect(screens.map(\.isStopped) == [true] + Array(repeating: false, count: WindowSessions.renderedLimit))
        #expect(sessions[ids[0]] == nil && ids.dropFirst().allSatisfy { sessions[$0] != nil })
    }

    @Test func `A page that has connected makes no room for rendered ones`() throws {
        let sessions = sessions()
        let screen = SilentScreen()
        let id = sessions.openRendered(screen).id

        #expect(try sessions.connect(id, for: nil)?.id == id)
        for _ in 0...WindowSessions.renderedLimit { _ = sessions.openRendered(SilentScreen()) }

        #expect(sessions[id] != nil && !screen.isStopped)
    }

    @Test func `A page that does not connect in time is closed, and opens another session`() throws {
        let sessions = sessions()
        let screen = SilentScreen()
        let id = sessions.openRendered(screen).id

        clock.advance(by: .seconds(14))
        sessions.beat()
        #expect(!screen.isStopped)
        clock.advance(by: .seconds(1))
        sessions.beat()

        #expect(screen.isStopped)
        #expect(try sessions.connect(id, for: nil) == nil)
    }

    @Test func `A page that had a stream is held longer`() throws {
        let sessions = sessions()
        let (session, screen) = try openSilent(in: sessions)

        clock.advance(by: .seconds(299))
        sessions.beat()
        #expect(sessions[session.id] != nil)
        clock.advance(by: .seconds(1))
        sessions.beat()

        #expect(sessions[session.id] == nil && screen.isStopped)
    }

    @Test func `A page with a stream is never closed`() throws {
        let sessions = sessions(limit: 1)
        let screen = SilentScreen()
        try sessions.open(screen, for: nil).streamChanged(isOpen: true)

        clock.advance(by: .seconds(1_000))
        sessions.beat()

        let another = SilentScreen()
        #expect(throws: Refusal.tooManyPages) { try sessions.open(another, for: nil) }
        #expect(!screen.isStopped && another.isStopped)
    }

    @Test func `The page without a stream for the longest time makes room, but none within its time to connect`() throws {
        let sessions = sessions(limit: 2)
        let first = try openSilent(in: sessions)
        clock.advance(by: .seconds(5))
        let second = try openSilent(in: sessions)

        clock.advance(by: .seconds(9))
        #expect(throws: Refusal.tooManyPages) { try sessions.open(SilentScreen(), for: nil) }
        #expect(!first.screen.isStopped && !second.screen.isStopped)
        clock.advance(by: .seconds(1))
        _ = try sessions.open(SilentScreen(), for: nil)

        #expect(first.screen.isStopped && !second.screen.isStopped)
    }

    @Test func `A rendered page that finds no room connects later`() throws {
        let sessions = sessions(limit: 1)
        _ = try openSilent(in: sessions)
        let id = sessions.openRendered(SilentScreen()).id

        #expect(throws: Refusal.tooManyPages) { try sessions.connect(id, for: nil) }
        clock.advance(by: .seconds(15))

        #expect(try sessions.connect(id, for: nil)?.id == id)
    }

    @Test func `A client with too many pages makes room among its own, and takes none from others`() throws {
        let sessions = sessions(perClient: 2)
        let (greedy, other) = (try #require(ClientAddress("192.0.2.1")), try #require(ClientAddress("192.0.2.2")))
        let stranger = try openSilent(in: sessions, for: other)
        let first = try openSilent(in: sessions, for: greedy)
        clock.advance(by: .seconds(5))
        let second = try openSilent(in: sessions, for: greedy)

        #expect(throws: Refusal.tooManyPages) { try sessions.open(SilentScreen(), for: greedy) }
        _ = try sessions.open(SilentScreen(), for: other)
        clock.advance(by: .seconds(10))
        _ = try sessions.open(SilentScreen(), for: greedy)

        #expect(first.screen.isStopped && !second.screen.isStopped && !stranger.screen.isStopped)
    }

    @Test func `The pages of a client that are closed count no more`() throws {
        let sessions = sessions(perClient: 1)
        let client = try #require(ClientAddress("192.0.2.1"))
        _ = try openSilent(in: sessions, for: client)

        clock.advance(by: .seconds(300))
        sessions.beat()

        #expect(throws: Never.self) {
            _ = try sessions.open(SilentScreen(), for: client)
        }
        #expect(throws: Refusal.tooManyPages) { try sessions.open(SilentScreen(), for: client) }
    }

    @Test func `Pages that connect at once all find the room that there is`() async throws {
        let count = 500
        let sessions = sessions(limit: count)
        for _ in 0..<count { _ = try openSilent(in: sessions) }
        clock.advance(by: .seconds(15))

        let opened = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { (try? sessions.open(SilentScreen(), for: nil)) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }

        #expect(opened == count)
    }
}

/// A screen on which nothing happens.
private final class SilentScreen: WindowScreen {
    let mailbox = EventMailbox<Int>()
    private let stopped = Mutex(false)

    var isStopped: Bool { stopped.withLock { $0 } }

    func noteAll() {}
    func events(for changes: ChangeLog<Int>.Changes) -> [WindowEvent] { [] }
    func setVisible(_ isVisible: Bool) {}
    func show(_ report: ViewportReport) {}
    func arrange(_ wish: ArrangementWish) {}
    func retry(_ row: Int?) {}
    func refresh() {}
    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {}
    func stop() { stopped.withLock { $0 = true } }
}
