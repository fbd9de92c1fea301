import LadingHTTP
import LadingOperations
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
        let isVisible = state.withLock { state in
            state.streams += isOpen ? 1 : -1
            state.silentBeats = 0
            return state.streams > 0
        }
        screen.setVisible(isVisible)
        // What failed before may be reachable by now, and nobody retried it for a page that was hidden.
        guard isVisible, let reachability else { return }
        screen.retryFailures { error in
            guard let error = OperationError.rootCause(of: error) as? BackendError else { return false }
            return error.isUnanswered && reachability.isReachable(error.url)
        }
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
