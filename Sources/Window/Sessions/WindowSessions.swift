import LadingHTTP
import LadingOperations
import ServerStartup
import ServiceLifecycle
import Synchronization

/// The open pages, found by their ids: those that `OpenPages` holds.
final class WindowSessions: Service {
    /// The most pages that have connected.
    static let sessionLimit = 20_000
    /// The most pages that were rendered and have not connected.
    static let renderedLimit = 64
    /// How often streams are told that the line is alive.
    static let beatInterval = Duration.seconds(15)

    private let pages: Mutex<OpenPages>
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
        pages = Mutex(OpenPages(limits))
        self.clock = clock
        time = Stopwatch(clock)
        self.makeID = makeID
        self.reachability = reachability
    }

    subscript(id: String) -> WindowSession? { pages.withLock { $0[id] } }

    /// Whether somebody looks at a page.
    var hasReaders: Bool { pages.withLock { $0.haveReaders } }

    /// Loads again what failed because of a host, on all pages that somebody looks at; the others do so when they are seen again.
    func retryFailures(of host: String) {
        for session in pages.withLock({ $0.all }) { session.retryFailures(of: host) }
    }

    /// Beats until the server shuts down, then closes all pages so that their streams end.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await self.clock.sleep(for: Self.beatInterval)) != nil { self.beat() }
        }
        for session in pages.withLock({ $0.all }) { session.close() }
    }

    /// Wakes all streams, and closes the pages that are abandoned.
    func beat() {
        let now = time.elapsed()
        let (sessions, abandoned) = pages.withLock { ($0.all, $0.removeAbandoned(at: now)) }
        for session in sessions { session.beat() }
        for session in abandoned { session.close() }
    }
}

// MARK: - Opening

extension WindowSessions {
    /// Opens the session of a page that is being rendered, once its screen needs no more time. The one that was rendered first makes room.
    func openRendered(_ screen: any WindowScreen) -> WindowSession {
        let session = makeSession(screen)
        let evicted = pages.withLock { $0.addRendered(session) }
        evicted?.close()
        return session
    }

    /// Opens the session of a page that connects without one.
    ///
    /// - Parameter client: By whose limit the page counts; nil where that is not known.
    /// - Throws: `Refusal.tooManyPages`; the screen is closed then.
    func open(_ screen: any WindowScreen, for client: ClientAddress?) throws(Refusal) -> WindowSession {
        let session = makeSession(screen)
        let now = time.elapsed()
        switch pages.withLock({ $0.admit(session, for: client, at: now) }) {
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
    /// - Throws: `Refusal.tooManyPages`
    func connect(_ id: String, for client: ClientAddress?) throws(Refusal) -> WindowSession? {
        let now = time.elapsed()
        switch pages.withLock({ $0.connect(id, for: client, at: now) }) {
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
