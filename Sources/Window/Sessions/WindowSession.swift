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
    }

    init(id: String, screen: any WindowScreen) {
        self.id = id
        self.screen = screen
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
