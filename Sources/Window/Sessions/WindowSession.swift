import LadingHTTP
import LadingOperations
import Synchronization

/// One open page: its screen, and whether anybody listens.
final class WindowSession: Sendable {
    /// The time that a page has to open its first stream, or another one. No session is evicted before.
    static let connectTimeout = Duration.seconds(15)
    /// The time without a stream after which a page that had one is forgotten.
    static let disconnectedTimeout = Duration.seconds(300)

    let id: String
    let screen: any WindowScreen
    private let state: Mutex<State>
    private let time: Stopwatch

    private struct State {
        var streams = 0
        /// Whether the page has ever opened a stream.
        var hasStreamed = false
        /// When the page was last heard of, while it has no stream.
        var disconnectedSince: Duration
        /// When the page made its last wish, by its own clock.
        var lastQueryAt: Int?
        /// Whether a host has recovered while the page had no stream.
        var hasMissedRecovery = false
    }

    private let reachability: ReachabilityMonitor?

    /// - Parameter time: Measures how long the page is without a stream; the same for all pages.
    init(id: String, screen: any WindowScreen, time: Stopwatch, reachability: ReachabilityMonitor? = nil) {
        self.id = id
        self.screen = screen
        self.time = time
        self.reachability = reachability
        state = Mutex(State(disconnectedSince: time.elapsed()))
    }

    func close() { screen.close() }

    /// Whether the page listens at this moment.
    var hasStream: Bool { state.withLock { $0.streams > 0 } }

    /// How long the page has had no stream; nil while it has one.
    func disconnectedTime(at now: Duration) -> Duration? {
        state.withLock { $0.streams > 0 ? nil : now - $0.disconnectedSince }
    }

    /// Whether the page has been without a stream for so long that it is forgotten.
    func isExpired(at now: Duration) -> Bool {
        state.withLock { state in
            state.streams == 0 && now - state.disconnectedSince >= (state.hasStreamed ? Self.disconnectedTimeout : Self.connectTimeout)
        }
    }

    /// Grants the page its time to connect anew.
    func resetDisconnectedTime(at now: Duration) {
        state.withLock { $0.disconnectedSince = max($0.disconnectedSince, now) }
    }

    /// The page opened a stream, or one of its streams ended.
    func streamChanged(isOpen: Bool) {
        let now = time.elapsed()
        let (isVisible, hasMissedRecovery) = state.withLock { state in
            state.streams += isOpen ? 1 : -1
            state.hasStreamed = true
            state.disconnectedSince = now
            let hasMissedRecovery = state.hasMissedRecovery
            if isOpen { state.hasMissedRecovery = false }
            return (state.streams > 0, hasMissedRecovery)
        }
        screen.setVisible(isVisible)
        guard isOpen, let reachability else { return }
        reachability.probeNow()
        // What failed before may be reachable by now, and nobody retried it for a page that was hidden.
        screen.retryFailures { error in
            guard let failure = error.hostFailure, reachability.isReachable(failure.url) else { return false }
            return failure.isHostUnresponsive || hasMissedRecovery
        }
    }

    /// Loads again what failed because of a host that works again; a page without a stream does so when it opens one.
    func retryFailures(of host: String) {
        let isVisible = state.withLock { state in
            state.hasMissedRecovery = state.streams == 0
            return state.streams > 0
        }
        if isVisible { screen.retryFailures { $0.isFailure(of: host) } }
    }

    /// Takes what the page wishes, unless that has been overtaken by a later wish of it on another connection.
    func handle(_ report: QueryReport) {
        let isLatest = state.withLock { state in
            guard let time = report.at else { return true }
            if let last = state.lastQueryAt, last - QueryReport.reorderLimit..<last ~= time { return false }
            state.lastQueryAt = time
            return true
        }
        if isLatest { screen.setQuery(report.query) }
    }

    /// Wakes the stream.
    func sendHeartbeat() { screen.sendHeartbeat() }
}
