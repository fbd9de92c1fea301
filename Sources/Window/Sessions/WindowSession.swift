import LadingHTTP
import Synchronization

/// One open page: its screen, and whether anybody listens.
final class WindowSession: Sendable {
    let id: String
    let screen: any WindowScreen
    private let state = Mutex(State())

    private struct State {
        var streams = 0
        /// Beats since a stream was last open; a page that stays away too long is forgotten.
        var silentBeats = 0
        /// When the page made its last wish, by its own clock.
        var wishedAt: Int?
        /// Whether a host has recovered while the page had no stream.
        var hasMissedRecovery = false
    }

    private let reachability: ReachabilityMonitor?

    init(id: String, screen: any WindowScreen, reachability: ReachabilityMonitor? = nil) {
        self.id = id
        self.screen = screen
        self.reachability = reachability
    }

    func close() { screen.close() }

    /// Whether the page listens at this moment.
    var hasStream: Bool { state.withLock { $0.streams > 0 } }

    /// The page opened a stream, or one of its streams ended.
    func streamChanged(isOpen: Bool) {
        let (isVisible, hasMissedRecovery) = state.withLock { state in
            state.streams += isOpen ? 1 : -1
            state.silentBeats = 0
            let hasMissedRecovery = state.hasMissedRecovery
            if isOpen { state.hasMissedRecovery = false }
            return (state.streams > 0, hasMissedRecovery)
        }
        screen.setVisible(isVisible)
        guard isOpen, let reachability else { return }
        reachability.hurry()
        // What failed before may be reachable by now, and nobody retried it for a page that was hidden.
        screen.retryFailures { error in
            guard let failure = error.hostFailure, reachability.isReachable(failure.url) else { return false }
            return failure.isUnanswered || hasMissedRecovery
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
    func take(_ report: ArrangementReport) {
        let isLatest = state.withLock { state in
            guard let time = report.at else { return true }
            if let last = state.wishedAt, last - ArrangementReport.patience..<last ~= time { return false }
            state.wishedAt = time
            return true
        }
        if isLatest { screen.arrange(report.wish) }
    }

    /// Wakes the stream, or counts that there is none.
    ///
    /// - Returns: For how many beats in a row there has been none.
    func beat() -> Int {
        screen.beat()
        return state.withLock { state in
            state.silentBeats = state.streams > 0 ? 0 : state.silentBeats + 1
            return state.silentBeats
        }
    }
}
