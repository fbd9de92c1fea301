/// The dependencies that the pages of all apps share.
struct PageDependencies: Sendable {
    let renderer: PageRenderer
    let sessions: WindowSessions
    /// Measures the time that a page waits for its rows.
    let clock: any Clock<Duration>
    let mapSource: MapSource
}
