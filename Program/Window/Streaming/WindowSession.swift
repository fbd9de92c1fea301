import Digests
import LadingHTTP
import Observers
import Synchronization
import Timing

/// The session of an open page: its screen and the state of its stream.
final class WindowSession: Sendable {
    /// The time in which a page must open its first stream, or another one. No session is evicted before.
    static let connectTimeout = Duration.seconds(15)
    /// The time without a stream after which the session of a page that had one expires.
    static let disconnectedTimeout = Duration.seconds(300)

    let id: String
    let screen: any WindowScreen
    /// The digest of the token whose person may see the screen; nil if everybody may.
    private let tokenDigest: [UInt8]?
    private let state: Mutex<State>
    private let time: Stopwatch

    private struct State {
        var streams = 0
        /// Whether the page has ever opened a stream.
        var hasStreamed = false
        /// The time of the last contact while the page has no stream.
        var disconnectedSince: Duration
        /// The time of the page's last query, by its own clock.
        var lastQueryAt: Int?
        /// Whether a host has recovered while the page had no stream.
        var hasMissedRecovery = false
        /// A change of the streams that the screen has not been notified of.
        var unsentChange: StreamChange?
        var deliveryRight = DeliveryRight()

        /// Returns the change to send; nil if there is none, or if another thread notifies the screen.
        mutating func nextChange(isHolder: inout Bool) -> StreamChange? {
            guard deliveryRight.acquire(if: unsentChange != nil, isHolder: &isHolder) else { return nil }
            return unsentChange.take()
        }
    }

    /// Changes of the streams, of which the screen is notified once.
    private struct StreamChange {
        /// Whether the page has a stream.
        let isVisible: Bool
        /// Whether a stream was opened.
        let isOpened: Bool
    }

    private let reachability: ReachabilityMonitor?

    /// - Parameter time: Measures the time without a stream; shared by all pages.
    init(id: String, screen: any WindowScreen, time: Stopwatch, reachability: ReachabilityMonitor? = nil) {
        self.id = id
        self.screen = screen
        self.time = time
        self.reachability = reachability
        tokenDigest = screen.token?.digest
        state = Mutex(State(disconnectedSince: time.elapsed()))
        screen.sessionDidOpen()
    }

    /// The screen of a list; nil on the page of a single thing, which ignores viewports and queries.
    var listScreen: (any ListScreen)? { screen as? any ListScreen }

    func close() { screen.close() }

    /// Returns whether a page may use the session: its id does not replace the token of the person.
    ///
    /// - Parameter token: The token in the cookie of the page's request; nil for none.
    func admits(token: String?) -> Bool {
        tokenDigest == nil || token?.digest == tokenDigest
    }

    /// Whether the page has an open stream.
    var hasStream: Bool { state.withLock { $0.streams > 0 } }

    /// Returns the time without a stream; nil while the page has one.
    func disconnectedTime(at now: Duration) -> Duration? {
        state.withLock { $0.streams > 0 ? nil : now - $0.disconnectedSince }
    }

    /// Whether the session has expired because the page has had no stream for too long.
    func isExpired(at now: Duration) -> Bool {
        state.withLock { state in
            state.streams == 0 && now - state.disconnectedSince >= (state.hasStreamed ? Self.disconnectedTimeout : Self.connectTimeout)
        }
    }

    /// Restarts the time in which the page must connect.
    func resetDisconnectedTime(at now: Duration) {
        state.withLock { $0.disconnectedSince = max($0.disconnectedSince, now) }
    }

    /// Handles an opened or ended stream. The screen is notified of changes one at a time, the last of which is current.
    func streamChanged(isOpen: Bool) {
        let now = time.elapsed()
        state.withLock { state in
            state.streams += isOpen ? 1 : -1
            state.hasStreamed = true
            state.disconnectedSince = now
            state.unsentChange = StreamChange(isVisible: state.streams > 0, isOpened: isOpen || state.unsentChange?.isOpened == true)
        }
        var isHolder = false
        while let change = state.withLock({ $0.nextChange(isHolder: &isHolder) }) {
            screen.setVisible(change.isVisible)
            if change.isVisible, change.isOpened { retryFailures() }
        }
    }

    /// Retries failed loads when a page opens a stream.
    private func retryFailures() {
        let hasMissedRecovery = state.withLock { state in
            defer { state.hasMissedRecovery = false }
            return state.hasMissedRecovery
        }
        guard let reachability else { return }
        reachability.probeNow()
        // A recovery while the page was hidden has not retried its failures.
        screen.retryFailures { error in
            guard let failure = error.hostFailure, reachability.isReachable(failure.url) else { return false }
            return failure.isHostUnresponsive || hasMissedRecovery
        }
    }

    /// Retries failed loads after a host has recovered; a page without a stream does so when it opens one.
    func retryFailures(of host: String) {
        let isVisible = state.withLock { state in
            if state.streams == 0 { state.hasMissedRecovery = true }
            return state.streams > 0
        }
        if isVisible { screen.retryFailures { $0.isFailure(of: host) } }
    }

    /// Handles a query, unless a later one of the page has arrived on another connection.
    func handle(_ report: QueryReport) {
        let isLatest = state.withLock { state in
            guard let time = report.at else { return true }
            if let last = state.lastQueryAt, last - QueryReport.clockResetLimit..<last ~= time { return false }
            state.lastQueryAt = time
            return true
        }
        if isLatest { listScreen?.setQuery(report.query) }
    }

    /// Retries a row of a list; the screen as a whole for nil, and on the page of a single thing.
    func retry(rowNamed row: String?) {
        if let row, let listScreen { listScreen.retry(rowNamed: row) } else { screen.retry() }
    }

    /// Sends a heartbeat to the stream.
    func sendHeartbeat() { screen.sendHeartbeat() }
}

extension String {
    /// The digest of a token. The time of its comparison reveals nothing about the token.
    fileprivate var digest: [UInt8] { SHA256.hash(data: utf8) }
}
