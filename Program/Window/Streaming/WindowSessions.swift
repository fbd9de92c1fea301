import LadingHTTP
import ServerStartup
import ServiceLifecycle
import Synchronization
import Timing

/// The sessions of open pages by id, stored in a `SessionTable`.
final class WindowSessions: Service {
    /// The maximum number of rendered pages that have not connected.
    static let renderedLimit = 64
    /// The interval of heartbeats.
    static let heartbeatInterval = Duration.seconds(15)

    private let table: Mutex<SessionTable>
    private let clock: any Clock<Duration>
    private let time: Stopwatch
    private let makeID: @Sendable () -> String
    private let reachability: ReachabilityMonitor?

    /// - Parameters:
    ///   - limits: The maximum numbers of open pages.
    ///   - reachability: The monitor of hosts whose failures are retried when a page becomes visible; nil retries none automatically.
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

    /// Whether any page has a stream.
    var hasReaders: Bool { table.withLock { $0.hasReaders } }

    /// Retries failed loads after a host has recovered, on pages with a stream at once, on others when they open one.
    func retryFailures(of host: String) {
        for session in table.withLock({ $0.all }) { session.retryFailures(of: host) }
    }

    /// Sends heartbeats until the server shuts down, then closes all pages so that their streams end.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await self.clock.sleep(for: Self.heartbeatInterval)) != nil { self.sendHeartbeat() }
        }
        for session in table.withLock({ $0.all }) { session.close() }
    }

    /// Sends a heartbeat to all streams, and closes expired pages.
    func sendHeartbeat() {
        let now = time.elapsed()
        let (sessions, abandoned) = table.withLock { ($0.all, $0.removeExpired(at: now)) }
        for session in sessions { session.sendHeartbeat() }
        for session in abandoned { session.close() }
    }
}

// MARK: - Opening sessions

extension WindowSessions {
    /// Opens the session of a page that is being rendered, when its screen is complete; evicts the oldest one beyond the limit.
    func openRendered(_ screen: any WindowScreen) -> WindowSession {
        let session = makeSession(screen)
        let evicted = table.withLock { $0.addRendered(session) }
        evicted?.close()
        return session
    }

    /// Opens the session of a page that connects without one.
    ///
    /// - Parameter client: The client whose limit applies; nil where it is unknown.
    /// - Throws: `PageError.tooManyPages`; the screen is closed then.
    func open(_ screen: any WindowScreen, for client: ClientAddress?) throws(PageError) -> WindowSession {
        let session = makeSession(screen)
        let now = time.elapsed()
        switch table.withLock({ $0.admit(session, for: client, at: now) }) {
        case .gone, .full:
            session.close()
            throw .tooManyPages
        case .accepted(let session, let evicted):
            evicted?.close()
            return session
        }
    }

    /// Returns the session of a connecting page with a restarted timeout; nil when it was evicted or has expired.
    ///
    /// - Parameter client: The client whose limit applies; nil where it is unknown.
    /// - Throws: `PageError.tooManyPages`
    func connect(_ id: String, for client: ClientAddress?) throws(PageError) -> WindowSession? {
        let now = time.elapsed()
        switch table.withLock({ $0.connect(id, for: client, at: now) }) {
        case .gone: return nil
        case .full: throw .tooManyPages
        case .accepted(let session, let evicted):
            evicted?.close()
            return session
        }
    }

    /// Permits a stream of a page without a session, which counts as a connected page until the permit is released.
    ///
    /// - Parameter client: The client whose limit applies; nil where it is unknown.
    /// - Throws: `PageError.tooManyPages`
    func permitStream(for client: ClientAddress?) throws(PageError) -> StreamPermit {
        let now = time.elapsed()
        let evicted = try table.withLock { table throws(PageError) in try table.addStream(for: client, at: now) }
        evicted?.close()
        return StreamPermit { [weak self] in self?.table.withLock { $0.removeStream(for: client) } }
    }

    private func makeSession(_ screen: any WindowScreen) -> WindowSession {
        WindowSession(id: makeID(), screen: screen, time: time, reachability: reachability)
    }
}

/// The permit of a stream. It ends with its last reference, also if the stream never begins.
final class StreamPermit: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
