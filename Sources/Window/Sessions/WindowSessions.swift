import LadingHTTP
import LadingOperations
import ServiceLifecycle
import Synchronization

/// The open pages, found by their ids.
///
/// | page | its session |
/// |---|---|
/// | was rendered | is one of few, so that pages that never connect cost no more than these; a page whose session is gone opens another |
/// | connects, by its stream or by `POST /windows` | is held while it has a stream, and for a limited time without one |
/// | connects when there are too many | takes the room of the page that has been without a stream for the longest time |
final class WindowSessions: Service {
    /// The most pages that have connected.
    static let sessionLimit = 20_000
    /// The most pages that were rendered and have not connected.
    static let renderedLimit = 64
    /// How often streams are told that the line is alive.
    static let beatInterval = Duration.seconds(15)

    fileprivate struct State {
        let limit: Int
        var connected: [String: WindowSession] = [:]
        /// Those that have not connected, oldest first.
        var rendered: [WindowSession] = []

        var all: [WindowSession] { rendered + connected.values }
    }

    /// What became of a page that connects.
    fileprivate enum Admission: Sendable {
        case gone
        case full
        case admitted(WindowSession, evicted: WindowSession?)
    }

    private let state: Mutex<State>
    private let clock: any Clock<Duration>
    private let time: Stopwatch
    private let makeID: @Sendable () -> String
    private let reachability: ReachabilityMonitor?

    /// - Parameters:
    ///   - limit: The most pages that have connected.
    ///   - reachability: Tells of which hosts failures are retried when a page is seen again; nil retries none by itself.
    init(
        limit: Int = WindowSessions.sessionLimit, clock: any Clock<Duration>, makeID: @escaping @Sendable () -> String,
        reachability: ReachabilityMonitor? = nil
    ) {
        state = Mutex(State(limit: limit))
        self.clock = clock
        time = Stopwatch(clock)
        self.makeID = makeID
        self.reachability = reachability
    }

    subscript(id: String) -> WindowSession? { state.withLock { $0[id] } }

    /// Whether somebody looks at a page.
    var hasReaders: Bool { state.withLock { $0.connected.values.contains(where: \.hasStream) } }

    /// Loads again what failed because of a host, on all pages that somebody looks at; the others do so when they are seen again.
    func retryFailures(of host: String) {
        for session in state.withLock({ $0.all }) { session.retryFailures(of: host) }
    }

    /// Beats until the server shuts down, then closes all pages so that their streams end.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await self.clock.sleep(for: Self.beatInterval)) != nil { self.beat() }
        }
        for session in state.withLock({ $0.all }) { session.close() }
    }

    /// Wakes all streams, and closes the pages that are abandoned.
    func beat() {
        let now = time.elapsed()
        let (sessions, abandoned) = state.withLock { ($0.all, $0.removeAbandoned(at: now)) }
        for session in sessions { session.beat() }
        for session in abandoned { session.close() }
    }
}

// MARK: - Opening

extension WindowSessions {
    /// Opens the session of a page that is being rendered, once its screen needs no more time. The one that was rendered first makes room.
    func openRendered(_ screen: any WindowScreen) -> WindowSession {
        let session = makeSession(screen)
        let evicted = state.withLock { $0.addRendered(session) }
        evicted?.close()
        return session
    }

    /// Opens the session of a page that connects without one.
    ///
    /// - Throws: `Refusal.tooManyPages`; the screen is closed then.
    func open(_ screen: any WindowScreen) throws(Refusal) -> WindowSession {
        let session = makeSession(screen)
        let now = time.elapsed()
        switch state.withLock({ $0.admit(session, at: now) }) {
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
    /// - Throws: `Refusal.tooManyPages`
    func connect(_ id: String) throws(Refusal) -> WindowSession? {
        let now = time.elapsed()
        switch state.withLock({ $0.connect(id, at: now) }) {
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

extension WindowSessions.State {
    fileprivate subscript(id: String) -> WindowSession? { connected[id] ?? rendered.first { $0.id == id } }

    /// Adds the session of a rendered page, and returns the one that makes room.
    fileprivate mutating func addRendered(_ session: WindowSession) -> WindowSession? {
        rendered.append(session)
        return rendered.count > WindowSessions.renderedLimit ? rendered.removeFirst() : nil
    }

    fileprivate mutating func connect(_ id: String, at now: Duration) -> WindowSessions.Admission {
        if let session = connected[id] {
            session.renewSilence(at: now)
            return .admitted(session, evicted: nil)
        }
        guard let index = rendered.firstIndex(where: { $0.id == id }) else { return .gone }
        let admission = admit(rendered[index], at: now)
        if case .admitted = admission { rendered.remove(at: index) }
        return admission
    }

    /// Adds a session; where there are too many, in place of the one that has been without a stream for the longest time.
    fileprivate mutating func admit(_ session: WindowSession, at now: Duration) -> WindowSessions.Admission {
        let isFull = connected.count >= limit
        let evicted = isFull ? longestSilent(at: now) : nil
        if isFull, evicted == nil { return .full }
        if let evicted { connected[evicted.id] = nil }
        session.renewSilence(at: now)
        connected[session.id] = session
        return .admitted(session, evicted: evicted)
    }

    /// The session that has been without a stream for the longest time; nil when all of them have one or may still connect.
    private func longestSilent(at now: Duration) -> WindowSession? {
        let silent = connected.values.compactMap { session in session.silence(at: now).map { (session: session, time: $0) } }
        let longest = silent.max { $0.time < $1.time }
        return longest.flatMap { $0.time < WindowSession.connectTime ? nil : $0.session }
    }

    fileprivate mutating func removeAbandoned(at now: Duration) -> [WindowSession] {
        let abandoned = all.filter { $0.isAbandoned(at: now) }
        for session in abandoned { connected[session.id] = nil }
        rendered.removeAll { $0.isAbandoned(at: now) }
        return abandoned
    }
}
