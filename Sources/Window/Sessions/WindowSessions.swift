import LadingHTTP
import LadingOperations
import ServerStartup
import ServiceLifecycle
import Synchronization

/// The open pages, found by their ids: those that `SessionTable` holds.
final class WindowSessions: Service {
    /// The most pages that have connected.
    static let sessionLimit = 20_000
    /// The most pages that were rendered and have not connected.
    static let renderedLimit = 64
    /// How often streams are told that the line is alive.
    static let heartbeatInterval = Duration.seconds(15)

    private let table: Mutex<SessionTable>
    private let clock: any Clock<Duration>
    private let time: Stopwatch
    private let makeID: @Sendable () -> String
    private let reachability: ReachabilityMonitor?

    /// - Parameters:
    ///   - limits: How many pages may be open.
    ///   - reachability: Tells of which hosts failures are retried when a page is seen again; nil retries none by itself.
    init(
        limits: PageLimits = PageLimits(), clock: any Clock<Duration>, makeID: @escaping @Sendable () -> String,
        reachability: ReachabilityMonitor? = nil
    ) {
        table = Mutex(SessionTable(limits))
        self.clock = clock
        time = Stopwatch(clock)
        self.makeID = makeID
        self.reachability = reachability
    }

    subscript(id: String) -> WindowSession? { table.withLock { $0[id] } }

    /// Whether somebody looks at a page.
    var hasReaders: Bool { table.withLock { $0.hasReaders } }

    /// Loads again what failed because of a host, on all pages that somebody looks at; the others do so when they are seen again.
    func retryFailures(of host: String) {
        for session in table.withLock({ $0.all }) { session.retryFailures(of: host) }
    }

    /// Beats until the server shuts down, then closes all pages so that their streams end.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await self.clock.sleep(for: Self.heartbeatInterval)) != nil { self.sendHeartbeats() }
        }
        for session in table.withLock({ $0.all }) { session.close() }
    }

    /// Wakes all streams, and closes the pages that are abandoned.
    func sendHeartbeats() {
        let now = time.elapsed()
        let (sessions, abandoned) = table.withLock { ($0.all, $0.removeExpired(at: now)) }
        for session in sessions { session.sendHeartbeat() }
        for session in abandoned { session.close() }
    }
}

// MARK: - Opening

extension WindowSessions {
    /// Opens the session of a page that is being rendered, once its screen needs no more time. The one that was rendered first makes room.
    func openRendered(_ screen: any WindowScreen) -> WindowSession {
        let session = makeSession(screen)
        let evicted = table.withLock { $0.addRendered(session) }
        evicted?.close()
        return session
    }

    /// Opens the session of a page that connects without one.
    ///
    /// - Parameter client: By whose limit the page counts; nil where that is not known.
    /// - Throws: `PageError.tooManyPages`; the screen is closed then.
    func open(_ screen: any WindowScreen, for client: ClientAddress?) throws(PageError) -> WindowSession {
        let session = makeSession(screen)
        let now = time.elapsed()
        switch table.withLock({ $0.admit(session, for: client, at: now) }) {
        case .gone, .full:
            session.close()
            throw .tooManyPages
        case .admitted(let session, let evicted):
            evicted?.close()
            return session
        }
    }

    /// Returns the session of a page that connects, which has its time to connect anew; nil when it is gone.
    ///
    /// - Parameter client: By whose limit the page counts; nil where that is not known.
    /// - Throws: `PageError.tooManyPages`
    func connect(_ id: String, for client: ClientAddress?) throws(PageError) -> WindowSession? {
        let now = time.elapsed()
        switch table.withLock({ $0.connect(id, for: client, at: now) }) {
        case .gone: return nil
        case .full: throw .tooManyPages
        case .admitted(let session, let evicted):
            evicted?.close()
            return session
        }
    }

    private func makeSession(_ screen: any WindowScreen) -> WindowSession {
        WindowSession(id: makeID(), screen: screen, time: time, reachability: reachability)
    }
}
