import LadingHTTP
import ServiceLifecycle
import Synchronization

/// The open pages, found by their ids; those that stay away are forgotten.
final class WindowSessions: Service {
    /// The most pages at once; when one more comes, one that has no stream makes room.
    static let sessionLimit = 20_000
    /// How often streams are told that the line is alive.
    static let beatInterval = Duration.seconds(15)
    /// For how many beats a page may stay away.
    static let silentBeatLimit = 20

    private let sessions = Mutex<[String: WindowSession]>([:])
    private let clock: any Clock<Duration>
    private let makeID: @Sendable () -> String
    private let reachability: ReachabilityMonitor?

    /// - Parameter reachability: Tells of which hosts failures are retried when a page is seen again; nil retries none by itself.
    init(clock: any Clock<Duration>, makeID: @escaping @Sendable () -> String, reachability: ReachabilityMonitor? = nil) {
        self.clock = clock
        self.makeID = makeID
        self.reachability = reachability
    }

    subscript(id: String) -> WindowSession? { sessions.withLock { $0[id] } }

    /// Whether somebody looks at a page.
    var hasReaders: Bool { sessions.withLock { $0.values.contains(where: \.hasStream) } }

    /// Loads again what failed because of a host, on all pages that somebody looks at; the others do so when they are seen again.
    func retryFailures(of host: String) {
        for session in sessions.withLock({ Array($0.values) }) { session.retryFailures(of: host) }
    }

    /// Opens a session around a screen; nil when there are too many, and the screen is closed then.
    func open(_ screen: any WindowScreen) -> WindowSession? {
        makeRoom()
        let session = WindowSession(id: makeID(), screen: screen, reachability: reachability)
        let isTaken = sessions.withLock { sessions in
            guard sessions.count < Self.sessionLimit else { return false }
            sessions[session.id] = session
            return true
        }
        if !isTaken { session.close() }
        return isTaken ? session : nil
    }

    /// Beats until the server shuts down, then closes all pages so that their streams end.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await self.clock.sleep(for: Self.beatInterval)) != nil { self.beat() }
        }
        for session in sessions.withLock({ Array($0.values) }) { session.close() }
    }

    private func beat() {
        for session in sessions.withLock({ Array($0.values) }) where session.beat() > Self.silentBeatLimit {
            remove(session)
        }
    }

    private func makeRoom() {
        let idle = sessions.withLock { $0.count < Self.sessionLimit ? nil : $0.values.first { !$0.hasStream } }
        if let idle { remove(idle) }
    }

    private func remove(_ session: WindowSession) {
        sessions.withLock { $0[session.id] = nil }
        session.close()
    }
}
